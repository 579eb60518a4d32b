import { spawn, spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'

export const root = resolve(import.meta.dirname, '../..')

const least = 24

const versionOf = text => text.split('.').map(Number)

/** A later release of the shipped line, which may have fixes that the shipped one lacks. */
const isLater = ([major, minor, patch], shipped) =>
  major === shipped[0] && (minor > shipped[1] || (minor === shipped[1] && patch > shipped[2]))

const shippedFolder = join(root, `node_modules/node-${process.platform}-${process.arch}`)
const shippedNode = join(shippedFolder, 'bin/node')

/**
 * The Node that the lock ships, or the machine's own where it is a later release of the same line. Without a shipped one,
 * the machine's own if it is new enough, else nothing.
 */
export const findNode = () => {
  const own = versionOf(process.versions.node)
  if (!existsSync(shippedNode)) return own[0] >= least ? process.execPath : undefined
  const { version } = JSON.parse(readFileSync(join(shippedFolder, 'package.json'), 'utf8'))
  return isLater(own, versionOf(version)) ? process.execPath : shippedNode
}

export const getNode = () => {
  const node = findNode()
  if (node) return checked(node)
  process.stderr.write(
    `This needs Node ${least} or newer, and none is shipped for ${process.platform} on ${process.arch}. ` +
      `The Node at hand is ${process.version}. Install a newer one and try again.\n`,
  )
  process.exit(1)
}

/** Node 26 needs libatomic, which small systems lack: https://github.com/nodejs/node/issues/60790. */
const checked = node => {
  const { status, stderr } = spawnSync(node, ['--version'], { encoding: 'utf8' })
  if (status === 0) return node
  process.stderr.write(
    `The Node of the lock does not run on this machine: ${(stderr || node).trim()}\n` +
      'If libatomic is missing, install it: `apt-get install libatomic1`, or `dnf install libatomic`.\n',
  )
  process.exit(1)
}

const hasPoolTimeout = existsSync(shippedNode) || versionOf(process.versions.node)[0] >= 26

/**
 * Flags of the server, with their measured effects. A young generation of 16 MiB: waiting calls live for seconds and die
 * in it instead of being copied out. 32 MiB held 50 MB more after full load, and took no less CPU beyond the noise. The
 * old generation may double before it is collected: V8 would let its garbage grow to three times what lives, and with it
 * the bodies that this garbage holds, 40 MB. No pretenuring: V8 would allocate long-lived objects in the old generation,
 * where 24 % of a call's allocations became garbage that no scavenge finds (8 % without). One helper thread: four wake
 * each other for every scavenge and cost 8 to 9 % of the CPU of a call on one core. V8 keeps emptied pages of its heap for
 * a second: the 8 s that are usual hold 30 MB more under load, and save no CPU beyond the noise. Only the command line
 * can set it, and Node 24 would not start with it. The garbage collections that `idle-memory.ts` and `large-buffers.ts`
 * ask for. No notice of the experimental module with which the C heap is tuned.
 */
export const serverFlags = [
  '--max-semi-space-size=16',
  '--heap-growing-percent=100',
  '--no-allocation-site-pretenuring',
  '--v8-pool-size=1',
  ...(hasPoolTimeout ? ['--memory-pool-timeout=1'] : []),
  '--expose-gc',
  '--disable-warning=ExperimentalWarning',
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

/** The same; ends this process with a sentence and the exit code if the command fails. */
export const runOrExit = async (sentence, command, args, options) => {
  const code = await run(command, args, options)
  if (code === 0) return
  process.stderr.write(`${sentence}; see above.\n`)
  process.exit(code)
}

const repeatMilliseconds = 300

/**
 * Runs a server in place of this process: forwards signals, returns its exit code. It has a process group of its own:
 * a terminal sends Ctrl-C to the whole group, and a server exits at once on a second signal. The channel between the two
 * tells the server when this process is killed.
 */
export const become = (command, args, options = {}) =>
  new Promise((done, failed) => {
    const child = spawn(command, args, {
      ...{ cwd: root, stdio: ['inherit', 'inherit', 'inherit', 'ipc'], detached: true },
      ...options,
    })
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
