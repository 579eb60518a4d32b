/** Builds the console. The server needs no build: Node runs its sources. */
import { buildConsole } from './lib/console-build.mjs'
import { install } from './lib/installed.mjs'
import { getNode } from './lib/node.mjs'

await install()
await buildConsole(getNode())
