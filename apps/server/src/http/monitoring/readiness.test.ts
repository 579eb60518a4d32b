import { mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs'
import { sql } from 'kysely'
import { beforeAll, expect, it } from 'vitest'
import { onBothEngines, type TestApp } from '../../../test/harness.ts'

let hub: TestApp
const ready = async () => {
  const { status, text } = await hub.guest().get('/readyz')
  return `${status} ${text}`
}
const becomes = (expected: string) =>
  expect.poll(ready, { timeout: 30_000, interval: 100 }).toBe(expected)

const writeTests = (engine: string) => {
  it('writes, at most once in a second and a half, and leaves no file behind', async () => {
    const heartbeats = async () =>
      Number(
        (
          await hub.app.db
            .selectFrom('nodes')
            .select('heartbeat')
            .where('epoch', '=', hub.app.ledger.epoch)
            .executeTakeFirstOrThrow()
        ).heartbeat,
      )
    const before = await heartbeats()
    const started = performance.now()
    for (let n = 0; n < 50; n++) expect(await ready()).toBe('200 ok')
    const passedMs = performance.now() - started
    // The lease writes one more in two seconds.
    expect((await heartbeats()) - before).toBeLessThanOrEqual(2 + Math.ceil(passedMs / 1_000) * 2)
    expect((await heartbeats()) - before).toBeGreaterThan(0)
    const { dataDir } = hub.app.env
    expect(readdirSync(dataDir).filter(name => name.startsWith('.readiness'))).toEqual([])
  })

  it('fails while the database takes no writes, and recovers', async () => {
    const block =
      engine === 'SQLite'
        ? sql`create trigger no_writes before update on nodes begin select raise(abort, 'no'); end`
        : sql`alter table nodes add constraint no_writes check (heartbeat < 0) not valid`
    const unblock =
      engine === 'SQLite'
        ? sql`drop trigger no_writes`
        : sql`alter table nodes drop constraint no_writes`
    await block.execute(hub.app.db)
    await becomes('503 the database takes no writes')
    await unblock.execute(hub.app.db)
    await becomes('200 ok')
  })

  it('fails while DATA_DIR is away, and recovers', async () => {
    const { dataDir } = hub.app.env
    renameSync(dataDir, `${dataDir}-away`)
    await becomes('503 DATA_DIR cannot be written (ENOENT)')
    rmSync(dataDir, { recursive: true, force: true })
    renameSync(`${dataDir}-away`, dataDir)
    await becomes('200 ok')
    mkdirSync(dataDir, { recursive: true })
  })
}

const readOnlyTest = () => {
  it('names a database that has become read-only, as a standby is, and recovers', async () => {
    const all = async (query: string) => {
      await sql.raw(query).execute(hub.app.db)
    }
    const { rows } = await sql<{ name: string }>`select current_database() as name`.execute(
      hub.app.db,
    )
    const name = rows[0]!.name
    // A default holds for new connections only. This one ends as well, so that its query fails. One that is being opened
    // meanwhile is not in the list yet.
    const reconnect = () =>
      all(`select pg_terminate_backend(pid) from pg_stat_activity
        where datname = current_database()`).catch(() => undefined)
    await all(`alter database "${name}" set default_transaction_read_only = on`)
    const readyAnew = async () => {
      await reconnect()
      return ready()
    }
    await expect
      .poll(readyAnew, { timeout: 30_000 })
      .toMatch(/^503 the (database is read-only|ledger)/)
    await sql
      .raw(
        `begin; set transaction read write; alter database "${name}" reset default_transaction_read_only; commit`,
      )
      .execute(hub.app.db)
    await reconnect()
    await becomes('200 ok')
  })
}

onBothEngines('readiness', (open, engine) => {
  beforeAll(async () => {
    hub = await open()
  })
  writeTests(engine)
  // The files of SQLite cannot become read-only for a process of root.
  if (engine === 'PostgreSQL') readOnlyTest()
})
