import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe } from 'vitest'
import type { Store } from '../src/db/index.ts'
import { openStore, type StoreOptions } from '../src/db/open.ts'
import { copyMigrated } from './migrated.ts'
import {
  openPostgres,
  type PostgresDatabases,
  postgresSkipReason,
  startPostgres,
  type TestPostgres,
} from './postgres.ts'
import { silentLog } from './silent-log.ts'

type StoreLocation = Pick<StoreOptions, 'databaseUrl' | 'dataDir'>

export type TestStores = {
  /** The location of a new store without rows, which can be opened again after a close. */
  location(): Promise<StoreLocation>
  /** The location of a new store without a schema, for tests of migrations. */
  emptyLocation(): Promise<StoreLocation>
  /** Opens a store at a new location. */
  open(options?: Partial<StoreOptions>): Promise<Store>
  /** The server, in a suite that stops it. */
  server: TestPostgres | undefined
  /** For promises that only several nodes can break. */
  isPostgres: boolean
}

/** Runs the suite on SQLite and, with ENGINES=all or in CI, on PostgreSQL. Skipped suites name the reason. */
export const describeStores = (title: string, suite: Suite): void =>
  describeOn(title, suite, 'shared')

/** Runs a suite that stops its server on both engines. */
export const describeStoresOnOwnServer = (title: string, suite: Suite): void =>
  describeOn(title, suite, 'own')

type Suite = (stores: TestStores) => void
type Server = 'own' | 'shared'

const describeOn = (title: string, suite: Suite, server: Server) => {
  describe(`${title} (SQLite)`, () => suite(storesOn(undefined)))
  const skipReason = postgresSkipReason()
  if (skipReason)
    describe.skip(`${title} (PostgreSQL skipped: ${skipReason})`, () => suite(storesOn(undefined)))
  else describe(`${title} (PostgreSQL)`, () => suite(storesOn(server)))
}

const storesOn = (server: Server | undefined): TestStores => {
  const opened: Store[] = []
  const dirs: string[] = []
  let postgres: Pick<PostgresDatabases, 'database' | 'migrated' | 'stop'> | undefined
  const newFolder = () => {
    const dataDir = mkdtempSync(join(tmpdir(), 'hub-store-'))
    dirs.push(dataDir)
    return dataDir
  }
  const stores: TestStores = {
    server: undefined,
    isPostgres: server !== undefined,
    location: async () => {
      const dataDir = newFolder()
      if (!server) copyMigrated(dataDir)
      return { databaseUrl: await postgres?.migrated(`store_${dirs.length}`), dataDir }
    },
    emptyLocation: async () => {
      const dataDir = newFolder()
      return { databaseUrl: await postgres?.database(`store_${dirs.length}`), dataDir }
    },
    open: async options => {
      const store = await openStore({ ...(await stores.location()), log: silentLog, ...options })
      opened.push(store)
      return store
    },
  }
  beforeAll(async () => {
    if (server === 'own') {
      const own = await startPostgres()
      stores.server = own
      postgres = { ...own, migrated: own.database }
    } else if (server === 'shared') postgres = await openPostgres()
  })
  afterAll(async () => {
    // A test may have closed its store, or left it broken on purpose.
    await Promise.allSettled(opened.map(store => store.close()))
    await postgres?.stop()
    for (const dir of dirs) rmSync(dir, { recursive: true, force: true })
  })
  return stores
}
