// npm run audit: proves the books of the database that the environment names. 0 clean, 1 findings, 2 not made.
import { install } from './lib/installed.mjs'
import { tool } from './lib/tool.mjs'

await install()
process.exitCode = await tool('node', ['apps/server/src/auditor/main.ts', ...process.argv.slice(2)])
