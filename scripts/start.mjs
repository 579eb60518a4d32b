/** From a fresh checkout to a running server: installs what is missing, builds what is stale, serves. */
import { readCommandLine } from '../apps/server/src/lib/command-line/read.mjs'
import { buildAll } from './lib/build.mjs'
import { install } from './lib/installed.mjs'
import { become, environment, getNode, serverFlags } from './lib/node.mjs'
import { stopWithNpm } from './lib/npm.mjs'
import { programs } from './lib/programs.mjs'

readCommandLine(programs.start)
await install()
const node = getNode()
await buildAll()
stopWithNpm()
process.exit(
  await become(node, [...serverFlags, 'apps/server/dist/server.mjs'], {
    env: environment(node, {
      NODE_ENV: process.env.NODE_ENV ?? 'production',
      // Each of glibc's arenas keeps what was freed in it; two suffice for the threads of the server.
      MALLOC_ARENA_MAX: process.env.MALLOC_ARENA_MAX ?? '2',
    }),
  }),
)
