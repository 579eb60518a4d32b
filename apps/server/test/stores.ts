import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe } from 'vitest'
import type { Store } from '../src/db/index.ts'
import { openStore, type StoreOptions } from '../src/db/open.ts'
import { postgresSkipReason, startPostgres, type TestPostgres } from './postgres.ts'
import { silentLog } from './silent-log.ts'

export type TestStores = {
  /** The location of a new empty store, which can be opened again after a close. */
  location(): Promise<Pick<StoreOptions, 'databaseUrl' | 'dataDir'>>
  /** Opens a store at a new location. */
  open(options?: Partial<StoreOptions>): Promise<Store>
  postgres: TestPostgres | undefined
  /** For promises that only several nodes can break. */
  isPostgres: boolean
}

/** Runs the suite on SQLite and, with ENGINES=all or in CI, on PostgreSQL. Skipped suites name the reason. */
export const describeStores = (title: string, suite: (stores: TestStores) => void): void => {
  describe(`${title} (SQLite)`, () => suite(storesOn(undefined)))
  const skipReason = postgresSkipReason()
  if (skipReason) {
    describe.skip(`${title} (PostgreSQL skipped: ${skipReason})`, () => suite(storesOn(undefined)))
    return
  }
  describe(`${title} (PostgreSQL)`, () => suite(storesOn(startPostgres)))
}

const storesOn = (start: (() => Promise<TestPostgres>) | undefined): TestStores => {
  const opened: Store[] = []
  const dirs: string[] = []
  const stores: TestStores = {
    postgres: undefined,
    isPostgres: start !== undefined,
    location: async () => {
      const dataDir = mkdtempSync(join(tmpdir(), 'hub-store-'))
      dirs.push(dataDir)
      const databaseUrl = await stores.postgres?.database(`store_${dirs.length}`)
      return { databaseUrl, dataDir }
    },
    open: async options => {
      const store = await openStore({ ...(await stores.location()), log: silentLog, ...options })
      opened.push(store)
      return store
    },
  }
  beforeAll(async () => {
    stores.postgres = await start?.()
  })
  afterAll(async () => {
    // A test may have closed its store, or left it broken on purpose.
    await Promise.allSettled(opened.map(store => store.close()))
    await stores.postgres?.stop()
    for (const dir of dirs) rmSync(dir, { recursive: true, force: true })
  })
  return stores
}
