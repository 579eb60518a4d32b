// npm run audit: audits the ledger of the database in the environment. Exit codes: 0 clean, 1 findings, 2 not run.
import { install } from './lib/installed.mjs'
import { tool } from './lib/tool.mjs'

await install()
process.exitCode = await tool('node', ['apps/server/src/auditor/main.ts', ...process.argv.slice(2)])
