// Makes password hashes cheap in the processes of tests: a real one costs 50 ms of CPU, and tests make ten thousand.
// The hashes still name the real cost. Loaded before the server's own modules, see `--import` in gateway.ts.
import crypto from 'node:crypto'
import { syncBuiltinESMExports } from 'node:module'

const cheapest = { memory: 8, passes: 1 }
const original = Symbol.for('hub.argon2')
const derive = crypto.argon2[original] ?? crypto.argon2
let isReal = false

/** For tests of the cost itself. */
export const useRealPasswordCost = real => {
  isReal = real
}

crypto.argon2 = (algorithm, parameters, callback) =>
  derive(algorithm, isReal ? parameters : { ...parameters, ...cheapest }, callback)
crypto.argon2[original] = derive
syncBuiltinESMExports()
