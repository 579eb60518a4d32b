// Makes password hashes cheap in the processes of tests: a real one costs 50 ms of CPU, and tests make ten thousand.
// The hashes still name the real cost. REAL_PASSWORD_COST=1 keeps it, for tests of the cost itself.
// Loaded before the server's own modules, see `--import` in gateway.ts.
import crypto from 'node:crypto'
import { syncBuiltinESMExports } from 'node:module'

const cheapest = { memory: 8, passes: 1 }
const original = Symbol.for('hub.argon2')
const derive = crypto.argon2[original] ?? crypto.argon2

crypto.argon2 = (algorithm, parameters, callback) => {
  const isReal = process.env.REAL_PASSWORD_COST === '1'
  derive(algorithm, isReal ? parameters : { ...parameters, ...cheapest }, callback)
}
crypto.argon2[original] = derive
syncBuiltinESMExports()
