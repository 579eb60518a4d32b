// npm run demo: a gateway with a month of traffic, on this machine only.
import { readCommandLine } from '../../apps/server/src/lib/command-line/read.mjs'
import { buildAll } from '../lib/build.mjs'
import { install } from '../lib/installed.mjs'
import { become, environment, getNode } from '../lib/node.mjs'
import { stopWithNpm } from '../lib/npm.mjs'
import { programs } from '../lib/programs.mjs'

const line = readCommandLine(programs.demo)
await install()
const node = getNode()
if (!line.flag('fill-only')) await buildAll()
stopWithNpm()
const args = ['--disable-warning=ExperimentalWarning', 'demo/main.ts', ...process.argv.slice(2)]
process.exit(await become(node, args, { env: environment(node) }))
