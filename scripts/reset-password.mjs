// npm run reset-password [username]: gives a user, by default root, a new password and prints it once.
import { install } from './lib/installed.mjs'
import { tool } from './lib/tool.mjs'

await install()
process.exitCode = await tool('node', [
  'apps/server/src/reset-password.ts',
  ...process.argv.slice(2),
])
