/**
 * Server and console with reload: the server starts anew when a source changes, the console replaces modules in place.
 * PORT and CONSOLE_PORT choose the ports. Without CONSOLE_PORT, the console takes 5173 or the next free one.
 */
import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { readCommandLine } from '../apps/server/src/lib/command-line/read.mjs'
import { install } from './lib/installed.mjs'
import { environment, getNode, root } from './lib/node.mjs'
import { programs } from './lib/programs.mjs'

readCommandLine(programs.dev)
await install()
const node = getNode()
const { PORT: port = '3000', CONSOLE_PORT: consolePort, STOP_DELAY_SECONDS = '0' } = process.env
const env = environment(node, {
  PORT: port,
  HUB_SERVER: `http://localhost:${port}`,
  // A restart waits for no load balancer.
  STOP_DELAY_SECONDS,
})
const start = args => spawn(node, args, { cwd: root, stdio: 'inherit', env })

const vite = join(root, 'node_modules/vite/bin/vite.js')
const chosenPort = consolePort ? ['--port', consolePort, '--strictPort'] : []
const children = [
  start(['--watch', '--watch-preserve-output', 'apps/server/src/main.ts']),
  start([vite, 'apps/console', ...chosenPort]),
]
/** One without the other is of no use. */
const end = code => {
  for (const child of children) child.kill('SIGTERM')
  process.exitCode = code
}
for (const child of children) child.once('exit', code => end(code ?? 0))
for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => end(0))
