import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { defaultSettings, type Settings } from '@hub/contract'
import { pino } from 'pino'
import { afterAll, beforeAll, describe } from 'vitest'
import { openAccount } from '../src/billing/ledger.ts'
import { startBilling } from '../src/billing/start.ts'
import type { App } from '../src/core/app.ts'
import type { Call } from '../src/core/call.ts'
import { makeMetrics } from '../src/core/metrics.ts'
import { openStore } from '../src/db/open.ts'
import * as tokenSpend from '../src/db/queries/token-spend.ts'
import { openChangeNotifications } from '../src/state/change-notifications.ts'
import { openPostgres, type PostgresDatabases, postgresSkipReason } from './postgres.ts'

/** The modules behind billing, wired as in a gateway, with settings and a clock that a test can change. */
export type BillingApp = {
  app: App
  source: { databaseUrl: string | undefined; dataDir: string }
  change(change: (settings: Settings) => void): void
  reset(): void
  clock: { seconds: number }
  /** Creates a user with this balance and one token, and returns a call of that user. */
  call(balance: number, token?: { cap?: number; expiresAt?: number }): Promise<Call>
  /** Another call by the same caller. */
  again(call: Call): Call
  price(row: {
    model: string
    type?: 'tokens' | 'times'
    input?: string
    output?: string
    extra_ratios?: string
  }): Promise<void>
  close(): Promise<void>
}

let users = 100

/** A test that wants calls to wait for held points says so. */
const refusingAtOnce = (): Settings => {
  const settings = defaultSettings()
  settings.money.HeldWaitSeconds = 0
  return settings
}

const openBillingApp = async (databaseUrl: string | undefined): Promise<BillingApp> => {
  const dataDir = mkdtempSync(join(tmpdir(), 'hub-money-'))
  const log = pino({ level: 'silent' })
  const store = await openStore({ databaseUrl, dataDir, log })
  const changes = await openChangeNotifications(store.db, { pollMilliseconds: 20 })
  const clock = { seconds: Math.floor(Date.now() / 1000) }
  let settings = refusingAtOnce()
  const app = {
    db: store.db,
    callDb: store.callDb,
    ledger: store.ledger,
    ...{ nodes: store.nodes, onWrite: store.onWrite },
    changes,
    settings: () => settings,
    log,
    metrics: makeMetrics(store.ledger.lag),
    now: () => clock.seconds * 1000,
    monotonic: () => performance.now(),
    stopping: () => false,
  } as unknown as App
  const billing = await startBilling(app)

  const again = (call: Call): Call => ({ ...call, id: app.ledger.nextId() })
  return {
    app,
    source: { databaseUrl, dataDir },
    clock,
    again,
    reset: () => {
      settings = refusingAtOnce()
    },
    change: edit => {
      settings = structuredClone(settings)
      edit(settings)
    },
    call: async (balance, { cap, expiresAt = -1 } = {}) => {
      const userId = ++users
      await store.db.transaction().execute(async tx => {
        await openAccount(app, tx, userId, balance, `user:${userId}`)
        const limits = { status: 1 as const, expiresAt, remaining: cap ?? null }
        await tokenSpend.create(tx, { tokenId: userId, userId, ...limits })
      })
      const id = app.ledger.nextId()
      const caller = { userId, username: `u${userId}`, tokenId: userId, tokenName: 't' }
      return {
        id,
        caller: { ...caller, group: 'default' },
        ip: '127.0.0.1',
        startedAt: app.monotonic(),
      } as unknown as Call
    },
    price: async ({ model, type = 'tokens', input = '1', output = '1', extra_ratios = null }) => {
      const row = { model, type, channel_type: 0, input, output, locked: 0, extra_ratios }
      await store.db.transaction().execute(async tx => {
        await tx
          .insertInto('prices')
          .values(row)
          .onConflict(conflict => conflict.column('model').doUpdateSet(row))
          .execute()
        await changes.notify(tx, 'prices')
      })
    },
    close: async () => {
      await billing.stop()
      await changes.close()
      await store.close()
      rmSync(dataDir, { recursive: true, force: true })
    },
  }
}

/** Runs the suite on both engines. Its tests share one app per engine; `open` resets the settings. */
export const onEachEngine = (suite: (open: () => Promise<BillingApp>) => void): void => {
  const engine = (
    name: string,
    missing: string | undefined,
    urlOf: () => Promise<string | undefined>,
  ) =>
    describe.skipIf(missing !== undefined)(`on ${name}`, () => {
      let opened: Promise<BillingApp> | undefined
      suite(async () => {
        opened ??= urlOf().then(openBillingApp)
        const money = await opened
        money.reset()
        return money
      })
      afterAll(async () => (await opened)?.close())
    })

  let postgres: PostgresDatabases | undefined
  const missing = postgresSkipReason()
  beforeAll(async () => {
    if (!missing) postgres = await openPostgres()
  })
  engine('SQLite', undefined, async () => undefined)
  engine('PostgreSQL', missing, async () => postgres?.migrated('money'))
  afterAll(() => postgres?.stop())
}
