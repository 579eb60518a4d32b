/** Builds what is served in production: the console and the bundle of the server. */
import { readCommandLine } from '../apps/server/src/lib/command-line/read.mjs'
import { buildAll } from './lib/build.mjs'
import { install } from './lib/installed.mjs'
import { programs } from './lib/programs.mjs'

readCommandLine(programs.build)
await install()
await buildAll()
