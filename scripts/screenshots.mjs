// npm run screenshots: the pictures of the README, or sheets of every page. npm run bench:console: what pages transfer.
import { readCommandLine } from '../apps/server/src/lib/command-line/read.mjs'
import { buildAll } from './lib/build.mjs'
import { installWithTests } from './lib/installed.mjs'
import { programs } from './lib/programs.mjs'
import { tool } from './lib/tool.mjs'

const [name, ...args] = process.argv.slice(2)
const line = readCommandLine(programs[name], args)
const hasSheets = line.flag('sheets')
if (!hasSheets) readCommandLine({ ...programs[name], words: undefined }, args)

await installWithTests()
await buildAll()
const file =
  name === 'bench:console'
    ? 'weigh-pages.ts'
    : `pictures/${hasSheets ? 'contact-sheets' : 'screenshots'}.ts`
process.exitCode = await tool('node', [`test/e2e/${file}`, ...line.words])
