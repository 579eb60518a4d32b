// npm run screenshots: the pictures of the README, taken from seeded data in a real browser.
import { buildConsole, isBuilt } from './lib/console-build.mjs'
import { install } from './lib/installed.mjs'
import { getNode } from './lib/node.mjs'
import { tool } from './lib/tool.mjs'

await install()
if (!isBuilt()) await buildConsole(getNode())
process.exitCode = await tool('node', ['test/e2e/screenshots.ts', ...process.argv.slice(2)])
