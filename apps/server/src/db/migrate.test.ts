import { Kysely, sql } from 'kysely'
import pg from 'pg'
import { expect, it, onTestFinished } from 'vitest'
import {
  getAccount,
  getTokenSpend,
  insertAccount,
  insertToken,
  ledgerOf,
  testTime,
} from '../../test/ledger/fixtures.ts'
import { makeOldDatabase } from '../../test/migrated.ts'
import { silentLog } from '../../test/silent-log.ts'
import { describeStores, type TestStores } from '../../test/stores.ts'
import { withDump } from './engines/backup.ts'
import { openPostgres } from './engines/postgres/index.ts'
import {
  groupByKind,
  previousLedgerBatchParameters,
} from './engines/postgres/ledger-batch-parameters.ts'
import { runMigrations } from './migrate.ts'
import { openStore } from './open.ts'
import { idsPerEpoch, type LedgerOperation, unboundedHolds } from './operations.ts'
import type { Tables } from './tables/index.ts'

type Location = Awaited<ReturnType<TestStores['location']>>

/** Rows in both columns that `0009-plain-column-names` renames. */
const fillRenamedColumns = async (db: Kysely<Tables>) => {
  await sql`insert into reminders (user_id, told, crossing) values (1, 2, 5)`.execute(db)
  await sql`insert into background_calls (request_id, answer_id, user_id, token_id, channel_id,
      credential, price_id, told, attempts, run_at, created_at)
    values (7, 'resp_7', 1, 10, 3, 'fingerprint', 1, '{"model":"m"}', 2, 9, 8)`.execute(db)
  await insertAccount(db, 1, 1000)
  await insertToken(db, 10, 1)
}

const addUser = (db: Kysely<Tables>, username: string) =>
  sql`insert into users (username, password_hash, display_name, role, status, email, avatar_url,
      "group", aff_code, inviter_id, created_time, last_login_time, last_login_ip,
      must_change_password)
    values (${username}, '', '', 1, 1, '', '', 'default', ${username}, 0, 0, 0, '', 0)`.execute(db)

/** A node that ended, and a user with a granted balance, as the first schema stores them. */
const fillFirstSchema = async (db: Kysely<Tables>) => {
  await addUser(db, 'ann')
  await sql`insert into nodes (beat, state) values (4, 'live')`.execute(db)
  await sql`insert into transfers (id, at, kind, source, debit, credit, amount, token_id, channel_id, price_id, "usage")
    values (4294967296, 5, 'grant', 'user:1', -2, 1, 1000, 0, 0, 0, '')`.execute(db)
  await insertAccount(db, 1, 1000)
  await insertToken(db, 10, 1)
}

type Fill = (db: Kysely<Tables>) => Promise<unknown>

const option =
  (key: string, value: string): Fill =>
  db =>
    db.insertInto('options').values({ key, value }).execute()

const addGateway =
  (more: { enable: number; notify_domain: string }): Fill =>
  db =>
    db
      .insertInto('payment_gateways')
      .values({
        ...{ uuid: 'pay', type: 'epay', name: 'pay', icon: '', currency: 'CNY', sort: 0 },
        ...{ fixed_fee: 0, percent_fee: 0, config_sealed: '', created_at: 1, ...more },
      })
      .execute()

const addProvider =
  (enabled: number): Fill =>
  db =>
    db
      .insertInto('oauth_providers')
      .values({
        ...{ slug: 'company', name: 'Company', kind: 'oidc', enabled, client_id: 'hub' },
        ...{ client_secret_sealed: '', issuer: '', authorization_endpoint: '', scopes: '' },
        ...{ token_endpoint: '', userinfo_endpoint: '', subject_field: '', username_field: '' },
        ...{ name_field: '', email_field: '', email_verified_field: '', created_time: 1 },
      })
      .execute()

const addPasskey: Fill = db =>
  db
    .insertInto('passkeys')
    .values({
      ...{ user_id: 1, credential_id: 'key', public_key: '', counter: 0, transports: '' },
      ...{ backed_up: 0, name: '', created_time: 1, last_used_time: 1 },
    })
    .execute()

const address = { ServerAddress: 'http://localhost:3000' }
/** Old databases, and the options that the site address migration adds to each. */
const oldSites: readonly (readonly [name: string, fill: Fill, added: Record<string, string>])[] = [
  ['uses nothing', async () => {}, {}],
  ['sends e-mails', option('SMTPServer', 'mail'), { ...address, PasswordResetEnabled: 'true' }],
  ['has an empty mail server', option('SMTPServer', ''), {}],
  ...[
    ...['GitHubOAuthEnabled', 'LarkAuthEnabled', 'OIDCAuthEnabled'],
    ...['TelegramBotEnabled', 'MjNotifyEnabled'],
  ].map(key => [`has turned on ${key}`, option(key, 'true'), address] as const),
  ['has turned off a switch', option('GitHubOAuthEnabled', 'false'), {}],
  ['is paid by a gateway', addGateway({ enable: 1, notify_domain: '' }), address],
  [
    'has a gateway with its own domain',
    addGateway({ enable: 1, notify_domain: 'https://pay' }),
    {},
  ],
  ['has turned off its gateway', addGateway({ enable: 0, notify_domain: '' }), {}],
  ['signs in at a provider', addProvider(1), address],
  ['has turned off its provider', addProvider(0), {}],
  ['has a passkey', addPasskey, address],
]

const optionsOf = async (db: Kysely<Tables>): Promise<Record<string, string>> =>
  Object.fromEntries(
    (await db.selectFrom('options').select(['key', 'value']).execute()).map(each => [
      each.key,
      each.value,
    ]),
  )

/** A running node, and a user with holds of it: 100 points that have accrued 40, and two background calls of 200 points. */
const fillOpenHolds = async (db: Kysely<Tables>) => {
  await db.insertInto('nodes').values({ heartbeat: 4, state: 'live' }).execute()
  await insertAccount(db, 1, 1000)
  await insertToken(db, 10, 1, { held: 500 })
  await db.updateTable('accounts').set({ held: 500 }).execute()
  const holds = [
    { id: idsPerEpoch + 1, amount: 100, accrued: 40 },
    { id: idsPerEpoch + 2, amount: 200, accrued: 0 },
    { id: idsPerEpoch + 3, amount: 200, accrued: 0 },
  ]
  for (const { id, amount, accrued } of holds)
    await sql`insert into holds (id, user_id, token_id, epoch, amount, accrued, price_id, usage, opened_at)
      values (${id}, 1, 10, 1, ${amount}, ${accrued}, 1, '{}', ${testTime})`.execute(db)
  // A recovery leaves background calls alone.
  for (const { id } of holds.slice(1))
    await sql`insert into background_calls (request_id, answer_id, user_id, token_id, channel_id,
        credential, price_id, receipt_draft, attempts, run_at, created_at)
      values (${id}, ${`resp_${id}`}, 1, 10, 3, 'fingerprint', 1, '{}', 0, ${testTime}, 8)`.execute(
      db,
    )
}

const openHoldsRelease = '0091-stored-images'

/** A connection of a node of the release before, which prepares its statement before the upgrade. */
const openOlderNode = async ({ databaseUrl }: Location) => {
  const client = new pg.Client({ connectionString: databaseUrl })
  await client.connect()
  onTestFinished(() => client.end())
  const placeholders = previousLedgerBatchParameters.map((_, index) => `$${index + 1}`).join(', ')
  const run = async (operations: LedgerOperation[]) => {
    const batch = groupByKind(1, operations, false)
    const { rows } = await client.query({
      name: 'ledger_batch_v2',
      text: `select ledger_batch_v2(${placeholders}) as answer`,
      values: previousLedgerBatchParameters.map(({ encode }) => encode(batch)),
    })
    return rows[0].answer
  }
  const owner = { userId: 1, tokenId: 10, priceId: 1, at: testTime }
  return {
    hold: (n: number, amount: number, tokenId = 10) =>
      run([{ kind: 'hold', id: idsPerEpoch + n, ...owner, tokenId, amount }]),
    settle: (n: number, charge: number) =>
      run([
        {
          ...{ kind: 'settle', id: idsPerEpoch + n, ...owner, channelId: 3, charge, usage: '{}' },
          log: null,
        },
      ]),
    checkpoint: (n: number, accrued: number, want: number) =>
      run([{ kind: 'checkpoint', id: idsPerEpoch + n, accrued, usage: '{}', want }]),
  }
}

/** Every column of every table, as the catalog names them. */
const columnsAt = (location: Location): Promise<string[]> =>
  withDump(location, async dump =>
    (await dump.tables())
      .flatMap(({ name, columns }) => columns.map(each => `${name}.${each}`))
      .sort(),
  )

describeStores('migrations', stores => {
  it('a database of the first schema gets that of a new one, and keeps its rows and its balances', async () => {
    const location = await stores.emptyLocation()
    await makeOldDatabase(location, '0001-first', fillFirstSchema)
    const fresh = await stores.emptyLocation()
    await (await openStore({ ...fresh, log: silentLog })).close()
    const store = await openStore({ ...location, log: silentLog })
    const users = await store.db.selectFrom('users').select(['username', 'role']).execute()
    expect(users).toEqual([{ username: 'ann', role: 1 }])
    const { hold, settle } = ledgerOf(store)
    const { id } = await hold(100)
    await settle(id, 30)
    expect(await getAccount(store)).toMatchObject({ balance: 970, held: 0, used: 30 })
    await store.close()
    expect(await columnsAt(location)).toEqual(await columnsAt(fresh))
  })

  it('a database with the columns `told` opens and keeps its rows under the new names', async () => {
    const location = await stores.emptyLocation()
    await makeOldDatabase(location, '0008-kept', fillRenamedColumns)
    const store = await stores.open(location)
    const { db } = store
    expect(await db.selectFrom('reminders').selectAll().execute()).toEqual([
      { user_id: 1, notified_level: 2, crossing: 5, threshold: null },
    ])
    expect(await db.selectFrom('background_calls').selectAll().execute()).toMatchObject([
      { request_id: 7, answer_id: 'resp_7', receipt_draft: '{"model":"m"}', attempts: 2 },
    ])
    await expect(
      db.updateTable('reminders').set({ notified_level: 3 }).execute(),
      'the check constraint follows the column',
    ).rejects.toThrow()
    const { hold, settle } = ledgerOf(store)
    const { id } = await hold(100)
    await settle(id, 30)
    expect(await getAccount(store)).toMatchObject({ balance: 970, held: 0, used: 30 })
  })

  it('holds that are open during an upgrade are closed by the new release', async () => {
    const location = await stores.emptyLocation()
    await makeOldDatabase(location, openHoldsRelease, fillOpenHolds)
    const store = await stores.open(location)
    const { hold, settle, recover, giveBack } = ledgerOf(store)
    expect((await hold(10, { unbounded: unboundedHolds.alone })).outcome).toEqual({ ok: true })
    expect((await hold(600)).outcome).toEqual({ ok: false, why: 'held', held: expect.any(Number) })
    expect(await recover(idsPerEpoch + 1)).toEqual({ ok: true })
    expect(await giveBack(idsPerEpoch + 2)).toEqual({ ok: true })
    expect(await settle(idsPerEpoch + 3, 2000)).toEqual({
      ...{ ok: true, charged: 950, shortfall: 1050, late: false },
    })
    expect(await store.db.selectFrom('shortfalls').selectAll().execute()).toMatchObject([
      { amount: 1050, kind: null },
    ])
    expect(await getAccount(store)).toMatchObject({ balance: 10, held: 10, used: 990 })
    expect(await getTokenSpend(store)).toMatchObject({ held: 10, used: 990 })
  })

  it.runIf(stores.isPostgres)(
    'a node of the release before works on with its function',
    async () => {
      const location = await stores.emptyLocation()
      await makeOldDatabase(location, openHoldsRelease, fillOpenHolds)
      const older = await openOlderNode(location)
      expect((await older.checkpoint(1, 50, 0)).granted).toEqual([0])
      const store = await stores.open(location)
      expect((await older.hold(4, 50)).why).toEqual([null])
      await insertToken(store.db, 11, 1, { cap: 80, held: 80 })
      const { hold, settle } = ledgerOf(store)
      const mixed = await hold(50, { unbounded: unboundedHolds.alone })
      expect(mixed.outcome).toEqual({ ok: true })
      expect((await older.hold(5, 60)).why).toEqual([null])
      expect((await older.checkpoint(5, 30, 40)).granted).toEqual([40])
      expect((await older.hold(6, 700)).why).toEqual(['held'])
      expect((await older.hold(6, 10, 11)).why).toEqual(['held'])
      expect(await older.settle(4, 70)).toMatchObject({ total: [70], short: [0], late: [false] })
      expect(await older.settle(5, 2000)).toMatchObject({ total: [380], short: [1620] })
      expect(await settle(mixed.id, 60)).toMatchObject({ charged: 50, isUnbounded: true })
      expect(await getAccount(store)).toMatchObject({ balance: 500, held: 500, used: 500 })
      expect(
        await store.db.selectFrom('shortfalls').select('kind').orderBy('id').execute(),
      ).toEqual([{ kind: null }, { kind: 'unbounded' }])
    },
  )

  // On SQLite statements have no time limit.
  it.runIf(stores.isPostgres)('a migration of a large table has no time limit', async () => {
    const location = await stores.emptyLocation()
    await makeOldDatabase(location, '0052-context-sizes', async db => {
      await sql`create table limits (statement text, idle text)`.execute(db)
      await sql`create function record_limits() returns trigger language plpgsql as $$ begin
          insert into limits values (current_setting('statement_timeout'),
            current_setting('idle_in_transaction_session_timeout'));
          return new;
        end $$`.execute(db)
      await sql`create trigger record_limits after insert on kysely_migration
        execute function record_limits()`.execute(db)
    })
    const { db } = await stores.open(location)
    const { rows } = await sql`select distinct statement, idle from limits`.execute(db)
    expect(rows).toEqual([{ statement: '0', idle: '0' }])
  })

  it.each(oldSites)(
    'a site that %s gets the options that keep it working',
    async (_, fill, added) => {
      const location = await stores.emptyLocation()
      let before: Record<string, string> = {}
      await makeOldDatabase(location, '0064-capped-settles', async db => {
        await fill(db)
        before = await optionsOf(db)
      })
      const { db } = await stores.open(location)
      expect(await optionsOf(db)).toEqual({ ...before, ...added })
    },
  )

  it('a site keeps its settings of money, moved into the bounds of this release', async () => {
    const location = await stores.emptyLocation()
    const own = { QuotaPerUnit: '0.1', PaymentUSDRate: '5000', QuotaForInviter: '7' }
    await makeOldDatabase(location, '0073-job-runs', async db => {
      for (const [key, value] of Object.entries(own)) await option(key, value)(db)
    })
    const { db } = await stores.open(location)
    expect(await optionsOf(db)).toMatchObject({
      QuotaPerUnit: '1',
      PaymentUSDRate: '1000',
      QuotaForInviter: '7',
    })
  })

  it('a site keeps the address and the switch that it has set', async () => {
    const location = await stores.emptyLocation()
    const own = { ServerAddress: 'https://hub.example', PasswordResetEnabled: 'false' }
    await makeOldDatabase(location, '0064-capped-settles', async db => {
      for (const [key, value] of Object.entries({ ...own, SMTPServer: 'mail' }))
        await option(key, value)(db)
      await addPasskey(db)
    })
    const { db } = await stores.open(location)
    expect(await optionsOf(db)).toMatchObject(own)
  })

  it('the oldest of old names that differ in case only gets the key, and all keep their names', async () => {
    const location = await stores.emptyLocation()
    const names = ['Alice', 'alice', 'ＡＬＩＣＥ', 'bob']
    await makeOldDatabase(location, '0009-plain-column-names', async db => {
      for (const name of names) await addUser(db, name)
    })
    const { db } = await stores.open(location)
    const rows = await db
      .selectFrom('users')
      .select(['username', 'username_key'])
      .orderBy('id')
      .execute()
    expect(rows).toEqual(
      ['alice', null, null, 'bob'].map((username_key, at) => ({
        username: names[at],
        username_key,
      })),
    )
  })

  it('a node of the release before books while a slow migration runs after one that locks', async () => {
    const location = await stores.emptyLocation()
    const { databaseUrl } = location
    // SQLite has one node.
    if (databaseUrl === undefined) return
    const store = await stores.open(location)
    await insertAccount(store.db, 1, 1000)
    const engine = await openPostgres({ log: silentLog, readOnly: false, databaseUrl })
    const db = new Kysely<Tables>({ dialect: engine.dialect })
    let booked = false
    const nothing = { up: async () => {} }
    const known = await db
      .selectFrom('kysely_migration' as never)
      .select('name' as never)
      .execute()
    const list = Object.fromEntries(known.map(each => [(each as { name: string }).name, nothing]))
    await runMigrations(db, {
      ...list,
      '9998-locks': { up: async to => void (await sql`lock table accounts`.execute(to)) },
      '9999-slow': {
        up: async () => {
          await ledgerOf(store).hold(100)
          booked = true
        },
      },
    })
    expect(booked).toBe(true)
    await db.destroy()
    await engine.close()
  })
})
