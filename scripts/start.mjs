/** From a fresh checkout to a running server: installs what is missing, builds what is stale, serves. */
import { buildConsole, isBuilt } from './lib/console-build.mjs'
import { install } from './lib/installed.mjs'
import { become, environment, getNode, serverFlags } from './lib/node.mjs'
import { stopWithNpm } from './lib/npm.mjs'

await install()
const node = getNode()
if (!isBuilt()) {
  process.stdout.write('Building the console …\n')
  await buildConsole(node)
}
stopWithNpm()
process.exit(
  await become(node, [...serverFlags, 'apps/server/src/main.ts'], {
    env: environment(node, { NODE_ENV: process.env.NODE_ENV ?? 'production' }),
  }),
)
