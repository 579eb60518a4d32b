// npm run reset-password [username], npm run import -- <file or address>: a program of the server beside the server itself.
import { install } from './lib/installed.mjs'
import { tool } from './lib/tool.mjs'

const [name, ...args] = process.argv.slice(2)

await install()
process.exitCode = await tool('node', [`apps/server/src/${name}.ts`, ...args])
