/** Builds what is served in production: the console and the bundle of the server. */
import { install } from './lib/installed.mjs'
import { buildAll } from './lib/build.mjs'

await install()
await buildAll()
