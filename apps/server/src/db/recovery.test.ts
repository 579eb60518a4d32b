import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { until } from '../../../../test/harness/runner/until.ts'
import { getAccount, insertAccount, insertToken, ledgerOf } from '../../test/ledger/fixtures.ts'
import { silentLog } from '../../test/silent-log.ts'
import { describeStoresOnOwnServer, type TestStores } from '../../test/stores.ts'
import type { Store } from './index.ts'
import { openStore } from './open.ts'
import * as nodes from './queries/nodes.ts'

const child = join(import.meta.dirname, '../../test/store-child.ts')

/** A gateway that was killed in the middle of 15 calls, after 5 had ended. Answers its epoch. */
const crash = async (location: { dataDir: string; databaseUrl: string | undefined }) => {
  const args = [child, location.dataDir, ...(location.databaseUrl ? [location.databaseUrl] : [])]
  const running = spawn(process.execPath, args, {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const [line] = await once(running.stdout, 'data')
  running.kill('SIGKILL')
  await once(running, 'exit')
  return Number(String(line).split(' ')[1])
}

const heartbeatOf = async ({ db, ledger }: Store): Promise<number> => {
  const row = db.selectFrom('nodes').select('heartbeat').where('epoch', '=', ledger.epoch)
  return Number((await row.executeTakeFirstOrThrow()).heartbeat)
}

/** 5 settled at 30, 7 accrued 40, 8 gave nothing. */
const isRecovered = async (store: Store) => {
  const used = 5 * 30 + 7 * 40
  const expected = {
    balance: 100_000 - used,
    held: 0,
    used,
    requests: 12,
    frozen: 0,
    frozen_by_debt: null,
    user_id: 1,
  }
  expect(await getAccount(store)).toEqual(expected)
  expect(await store.db.selectFrom('holds').selectAll().execute()).toEqual([])
  const sums = await store.db.selectFrom('channel_used').selectAll().execute()
  expect(sums.reduce((sum, each) => sum + each.used, 0)).toBe(used)
  expect(sums.reduce((sum, each) => sum + each.n, 0)).toBe(12)
}

describeStoresOnOwnServer('recovery', stores => {
  it('the next start on the same directory closes the holds that a kill left open', async () => {
    const location = await stores.location()
    const epoch = await crash(location)
    const store = await stores.open(location)
    expect(store.ledger.epoch).toBeGreaterThan(epoch)
    await isRecovered(store)
    const sums = await store.db.selectFrom('channel_used').select('epoch').execute()
    expect(sums.every(each => each.epoch !== epoch)).toBe(true)
  })

  it('an interrupted recovery is continued, not repeated', async () => {
    const location = await stores.location()
    const epoch = await crash(location)
    const first = await openStore({ ...location, log: silentLog, role: 'reader' })
    const ids = await first.db.selectFrom('holds').select('id').orderBy('id').execute()
    await first.close()
    const store = await stores.open(location)
    // The second recovery finds holds that are gone: it must not charge them again.
    await Promise.all(ids.map(({ id }) => ledgerOf(store).recover(id)))
    await nodes.retire(store.db, epoch)
    await isRecovered(store)
  })

  it('a second process on the same directory is refused with a clear message', async () => {
    const location = await stores.location()
    await stores.open(location)
    const second = openStore({ ...location, log: silentLog })
    await expect(second).rejects.toMatchObject({
      code: 'env.invalid',
      message: expect.stringContaining('Another process already works in'),
    })
  })

  it('a data directory that others could read is closed to them', async () => {
    const location = await stores.location()
    chmodSync(location.dataDir, 0o755)
    await stores.open(location)
    expect(statSync(location.dataDir).mode & 0o777).toBe(0o700)
  })

  it('a regularly closed store leaves nothing to recover', async () => {
    const location = await stores.location()
    const store = await openStore({ ...location, log: silentLog })
    await insertAccount(store.db, 1, 1000)
    await insertToken(store.db, 10, 1)
    const { hold, settle } = ledgerOf(store)
    const { id } = await hold(100)
    // Asked for and not awaited: closing waits for it.
    const settled = settle(id, 60)
    await store.close()
    expect(await settled).toMatchObject({ charged: 60 })
    await expect(hold(1)).rejects.toMatchObject({ code: 'server.ledger' })
    const next = await stores.open(location)
    expect(await getAccount(next)).toMatchObject({ balance: 940, held: 0, used: 60 })
  })

  it('an expired node refuses holds, and continues with a new epoch', async () => {
    const store = await stores.open({ heartbeatSeconds: 0.1, takeoverSeconds: 0.3 })
    await insertAccount(store.db, 1, 1000)
    await insertToken(store.db, 10, 1)
    const { hold } = ledgerOf(store)
    const before = store.ledger.epoch
    await nodes.retire(store.db, before)
    await until('the node has a new epoch', () => store.ledger.epoch > before)
    expect((await hold(10)).outcome).toEqual({ ok: true })
  })

  it('without a database holds are refused within a second, and settles are journaled and posted once', async () => {
    const { store, outage } = await withOutage(stores)
    const { hold, settle, giveBack } = ledgerOf(store)
    const [one, two, three] = [await hold(100), await hold(100), await hold(100)]
    const back = await outage()
    const start = performance.now()
    await expect(hold(10)).rejects.toMatchObject({ code: 'server.ledger' })
    expect(performance.now() - start).toBeLessThan(4_000)
    const again = performance.now()
    await expect(hold(10)).rejects.toMatchObject({ code: 'server.ledger' })
    expect(performance.now() - again).toBeLessThan(500)
    expect(store.ledger.lag()).toBeGreaterThan(1000)

    expect(await settle(one.id, 70)).toMatchObject({ ok: true, charged: 70 })
    expect(await settle(one.id, 70)).toMatchObject({ ok: true })
    await giveBack(two.id)
    await back()
    await until('the journal is posted', () => store.ledger.lag() === 0)
    expect((await hold(10)).outcome).toEqual({ ok: true })
    expect(await settle(three.id, 5)).toMatchObject({ charged: 5 })
    expect(await getAccount(store)).toMatchObject({ balance: 925, held: 10, used: 75, requests: 2 })
  })

  it('a settle that is journaled while the database returns is posted without a restart', async () => {
    const { store, outage } = await withOutage(stores)
    const { hold, settle } = ledgerOf(store)
    const held: number[] = []
    for (let at = 0; at < 300; at += 1) held.push((await hold(1)).id)
    const back = await outage()
    await expect(hold(1)).rejects.toMatchObject({ code: 'server.ledger' })
    const isOver = back()
    const settling: Promise<unknown>[] = []
    for (const id of held) {
      settling.push(settle(id, 1))
      await sleep(1)
    }
    await Promise.all([isOver, ...settling])
    await until('the journal is posted', () => store.ledger.lag() === 0)
    expect(await getAccount(store)).toMatchObject({ balance: 700, held: 0, used: 300 })
  })

  it('a lone node renews its lease three times within the takeover time, and not more often', async () => {
    const store = await stores.open({ heartbeatSeconds: 0.05, takeoverSeconds: 6 })
    await until('the node knows that it is alone', () => store.nodes.isAlone())
    const before = await heartbeatOf(store)
    await sleep(1_000)
    expect(await heartbeatOf(store)).toBeLessThanOrEqual(before + 1)
    await until('the next heartbeat', async () => (await heartbeatOf(store)) > before)
  })

  if (stores.isPostgres) {
    it('a lone node renews its lease often as soon as another node comes', async () => {
      const location = await stores.location()
      const heartbeats = { heartbeatSeconds: 0.05, takeoverSeconds: 900 }
      const first = await stores.open({ ...location, ...heartbeats })
      await until('the first node knows that it is alone', () => first.nodes.isAlone())
      const before = await heartbeatOf(first)
      let joined = 0
      first.nodes.onJoined(() => void joined++)
      const { databaseUrl } = location
      const second = await stores.open({ ...(await stores.location()), ...heartbeats, databaseUrl })
      await until('three heartbeats', async () => (await heartbeatOf(first)) >= before + 3)
      expect([first.nodes.isAlone(), second.nodes.isAlone(), joined]).toEqual([false, false, 1])
      await second.close()
      await until('the first node is alone again', () => first.nodes.isAlone())
    })

    it('another node takes over only the node whose heartbeat stopped', async () => {
      const location = await stores.location()
      const liveNode = await stores.open({
        ...(await stores.location()),
        databaseUrl: location.databaseUrl,
        heartbeatSeconds: 0.1,
        takeoverSeconds: 1,
      })
      const epoch = await crash(location)
      await until(
        'no hold is open',
        async () => (await liveNode.db.selectFrom('holds').select('id').execute()).length === 0,
      )
      await isRecovered(liveNode)
      const dead = await liveNode.db
        .selectFrom('nodes')
        .selectAll()
        .where('state', '=', 'dead')
        .execute()
      expect(dead.map(each => each.epoch)).toEqual([epoch])
    })

    it('operations journaled before a crash are posted at the next start', async () => {
      const { store, outage, location } = await withOutage(stores)
      const { hold, settle } = ledgerOf(store)
      const { id } = await hold(100)
      const back = await outage()
      await expect(hold(10)).rejects.toMatchObject({ code: 'server.ledger' })
      await settle(id, 70)
      await store.close()
      await back()
      const next = await stores.open(location)
      expect(await getAccount(next)).toMatchObject({ balance: 930, held: 0, used: 70, requests: 1 })
    })

    it('three nodes spend exactly the balance that they share', async () => {
      const { databaseUrl } = await stores.location()
      const three = await Promise.all(
        [1, 2, 3].map(async () => stores.open({ ...(await stores.location()), databaseUrl })),
      )
      await insertAccount(three[0]!.db, 1, 500)
      await insertToken(three[0]!.db, 10, 1)
      const spend = async (store: Store) => {
        const { hold, settle } = ledgerOf(store)
        const { id, outcome } = await hold(1)
        if (outcome.ok) await settle(id, 1)
        return outcome.ok
      }
      const served = await Promise.all(
        Array.from({ length: 900 }, (_, at) => spend(three[at % 3]!)),
      )
      expect(served.filter(Boolean)).toHaveLength(500)
      expect(await getAccount(three[0]!)).toMatchObject({
        balance: 0,
        held: 0,
        used: 500,
        requests: 500,
      })
    })
  }
})

/** A store whose database can be made unavailable and available again. */
const withOutage = async (stores: TestStores) => {
  const location = await stores.location()
  const store = await stores.open(location)
  await insertAccount(store.db, 1, 1000)
  await insertToken(store.db, 10, 1)
  const outage = async () => {
    const { server } = stores
    if (server) {
      await server.stop('SIGQUIT')
      return server.start
    }
    const other = new DatabaseSync(join(location.dataDir, 'hub.db'))
    other.exec('begin immediate')
    return async () => other.close()
  }
  return { store, outage, location }
}
