// Counts the timers that fire in the main thread of a gateway, and prints the sum each second.
// Loaded before the server's own modules, see `nodeArguments` in gateway.ts.
import { isMainThread } from 'node:worker_threads'

const { setInterval: every, setTimeout: once } = globalThis
let fired = 0

const counted =
  start =>
  (callback, ...rest) =>
    start(
      (...values) => {
        fired += 1
        return callback(...values)
      },
      ...rest,
    )

if (isMainThread) {
  // Own properties have the variants for promises.
  globalThis.setTimeout = Object.assign(counted(once), once)
  globalThis.setInterval = Object.assign(counted(every), every)
  every(() => process.stdout.write(`timers fired: ${fired}\n`), 1_000).unref()
}
