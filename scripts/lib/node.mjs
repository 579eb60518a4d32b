import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'

export const root = resolve(import.meta.dirname, '../..')

const least = 24

/** The Node that the lock ships, else the machine's own if it is new enough, else nothing. */
export const findNode = () => {
  const shipped = join(root, `node_modules/node-${process.platform}-${process.arch}/bin/node`)
  if (existsSync(shipped)) return shipped
  return Number(process.versions.node.split('.')[0]) >= least ? process.execPath : undefined
}

export const getNode = () => {
  const node = findNode()
  if (node) return node
  process.stderr.write(
    `This needs Node ${least} or newer, and none is shipped for ${process.platform} on ${process.arch}. ` +
      `The Node at hand is ${process.version}. Install a newer one and try again.\n`,
  )
  process.exit(1)
}

/**
 * How the server is run. Calls that wait for their vendor live for seconds, longer than a small young generation lasts:
 * with more room they end in it instead of being copied out of it. About 8 % of the CPU per call, measured. And V8 must
 * not learn from the calls that wait that such objects live long: it would make them in the old generation from the
 * start, where 24 % of all that a call allocates became garbage that no scavenge finds (8 % without). One thread helps
 * to collect and to compile: four that wake each other for every scavenge cost 8 to 9 % more on one core.
 */
export const serverFlags = [
  '--max-semi-space-size=32',
  '--no-allocation-site-pretenuring',
  '--v8-pool-size=1',
]

/** Child processes find our Node first, also when they start `node` themselves. */
export const environment = (node, more = {}) => ({
  ...process.env,
  PATH: `${dirname(node)}:${process.env.PATH ?? ''}`,
  ...more,
})

/** Runs a command to its end; answers its exit code. */
export const run = (command, args, options = {}) =>
  new Promise((done, failed) => {
    const child = spawn(command, args, { cwd: root, stdio: 'inherit', ...options })
    child.once('error', failed)
    child.once('exit', (code, signal) => done(signal ? 1 : (code ?? 1)))
  })

const repeatMilliseconds = 300

/**
 * Runs a server in our place: signals go to it, its exit code is ours. It gets a process group of its own, since a
 * terminal sends Ctrl-C to everybody at once, and a server takes a second signal as "end now".
 */
export const become = (command, args, options = {}) =>
  new Promise((done, failed) => {
    const child = spawn(command, args, { cwd: root, stdio: 'inherit', detached: true, ...options })
    let last = 0
    for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'])
      process.on(signal, () => {
        const now = Date.now()
        // npm passes on a signal that the terminal has sent us already.
        if (now - last > repeatMilliseconds) child.kill(signal === 'SIGHUP' ? 'SIGTERM' : signal)
        last = now
      })
    child.once('error', failed)
    child.once('exit', (code, signal) => done(signal ? 1 : (code ?? 1)))
  })
