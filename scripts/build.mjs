/** Builds what is served in production: the console and the bundle of the server. */

import { buildAll } from './lib/build.mjs'
import { install } from './lib/installed.mjs'

await install()
await buildAll()
