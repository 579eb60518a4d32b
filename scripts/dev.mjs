/** Server and console with reload: the server starts anew when a source changes, the console replaces modules in place. */
import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { install } from './lib/installed.mjs'
import { environment, getNode, root } from './lib/node.mjs'

await install()
const node = getNode()
const port = process.env.PORT ?? '3000'
const env = environment(node, { PORT: port, HUB_SERVER: `http://localhost:${port}` })
const start = args => spawn(node, args, { cwd: root, stdio: 'inherit', env })

const children = [
  start(['--watch', '--watch-preserve-output', 'apps/server/src/main.ts']),
  start([join(root, 'node_modules/vite/bin/vite.js'), 'apps/console']),
]
/** One without the other is of no use. */
const end = code => {
  for (const child of children) child.kill('SIGTERM')
  process.exitCode = code
}
for (const child of children) child.once('exit', code => end(code ?? 0))
for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => end(0))
