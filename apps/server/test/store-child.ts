import { openStore } from '../src/db/open.ts'
import { insertAccount, insertToken, ledgerOf } from './ledger/fixtures.ts'
import { silentLog } from './silent-log.ts'

// A store in a separate process that a test can kill. It opens 20 holds, settles some, records a checkpoint for some, and
// runs until it is killed.
const [dataDir = '', databaseUrl] = process.argv.slice(2)
const store = await openStore({ dataDir, databaseUrl, log: silentLog, heartbeatSeconds: 0.1 })
await insertAccount(store.db, 1, 100_000)
await insertToken(store.db, 10, 1)
const { hold, checkpoint, settle } = ledgerOf(store)
const held = await Promise.all(Array.from({ length: 20 }, () => hold(100)))
for (const [at, { id }] of held.entries()) {
  if (at < 5) await settle(id, 30)
  else if (at < 12) await checkpoint(id, 40)
}
process.stdout.write(`ready ${store.ledger.epoch}\n`)
setInterval(() => {}, 1000)
