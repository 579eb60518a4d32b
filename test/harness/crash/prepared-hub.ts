import { cpSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Upstream } from '../../upstream/start.ts'
import { type Administrator, administer, type Person } from '../admin.ts'
import { ask, type ChatOptions, type ObservedCall, unlimitedAgent } from '../client.ts'
import type { Engine } from '../engines.ts'
import { type Gateway, makeGateway, startGateway } from '../gateway.ts'
import { databaseFile } from '../ledger.ts'
import { type DatabaseProxy, startProxy } from '../process/database-proxy.ts'
import { startTestHub, type TestHub } from '../test-hub.ts'

export type Where = { dataDir: string; databaseUrl: string | undefined }

/** One copy of what was prepared: a gateway of its own, not started yet, on data of its own. */
export type RestoredHub = {
  gateway: Gateway
  /** For those that look at the books past the gateway's own way to them. */
  where: Where
  upstream: Upstream
  person: Person
  admin: Administrator
  /** Starts another node on the same database, which is PostgreSQL. It ends with this copy. */
  startSecondNode(): Promise<Gateway>
  ask(call: Partial<ChatOptions> & { model: string }): Promise<ObservedCall>
  /** The database cannot be written any more; the answer gives it back. */
  takeAway(): () => void
  /** Each statement takes so much longer; the answer makes it quick again. */
  slow(milliseconds: number): () => void
  /** Keeps the data as they are now, for `restore`; the gateway must be dead. */
  keep(): Promise<void>
  restore(): Promise<void>
  close(): Promise<void>
}

export type Prepared = {
  hub: TestHub
  open(options?: { env?: Record<string, string> }): Promise<RestoredHub>
  close(): Promise<void>
}

/** A hub that is set up once and stopped. Tests start from copies of it, which costs a moment each. */
export const prepare = async (
  engine: Engine,
  balance: number,
  furnish: (hub: TestHub) => Promise<unknown> = async () => undefined,
): Promise<Prepared> => {
  const hub = await startTestHub(engine)
  await furnish(hub)
  const person = await hub.admin.addPerson(balance)
  await hub.gateway.stop()
  return {
    hub,
    open: options => openTrial(hub, person, options),
    close: () => hub.close(),
  }
}

const openTrial = async (
  hub: TestHub,
  person: Person,
  { env = {} }: { env?: Record<string, string> } = {},
): Promise<RestoredHub> => {
  const folder = mkdtempSync(join(tmpdir(), 'hub-trial-'))
  const dataDir = join(folder, 'data')
  const kept = join(folder, 'kept')
  cpSync(hub.gateway.dataDir, dataDir, { recursive: true })
  const database = await hub.database.copy()
  const { socket } = hub.database
  const proxy = socket === undefined ? undefined : await startProxy(socket)
  const { masterKey, accessToken, rootKey, rootPassword } = hub.gateway
  const gateway = makeGateway({
    dataDir,
    databaseUrl: database && proxy && through(database.url, proxy),
    secrets: { masterKey, accessToken, rootKey, rootPassword },
    env,
  })
  const agent = unlimitedAgent()
  let second: Gateway | undefined
  return {
    gateway,
    where: { dataDir, databaseUrl: database?.url },
    upstream: hub.upstream,
    person,
    admin: administer(gateway),
    startSecondNode: async () => {
      const secrets = { masterKey, accessToken, rootKey, rootPassword }
      second = await startGateway({ databaseUrl: gateway.databaseUrl, secrets, env })
      return second
    },
    ask: call => ask({ url: gateway.url, key: person.key, agent, ...call }),
    takeAway: () => (proxy ? cut(proxy) : lock(dataDir)),
    slow: milliseconds => (proxy ? delay(proxy, milliseconds) : crawl(dataDir, milliseconds)),
    keep: async () => {
      cpSync(dataDir, kept, { recursive: true })
      await database?.keep()
    },
    restore: async () => {
      rmSync(dataDir, { recursive: true, force: true })
      cpSync(kept, dataDir, { recursive: true })
      await database?.restore()
    },
    close: async () => {
      agent.destroy()
      await gateway.close()
      await second?.close()
      await proxy?.close()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

const through = (url: string, { port }: DatabaseProxy) =>
  `postgres://hub@127.0.0.1:${port}${new URL(url).pathname}`

const cut = (proxy: DatabaseProxy) => {
  proxy.cut()
  return () => proxy.restore()
}

const delay = (proxy: DatabaseProxy, milliseconds: number) => {
  proxy.delay(milliseconds)
  return () => proxy.delay(0)
}

/**
 * Another connection holds the file's write lock nearly all the time, `milliseconds` at once, and has it on return.
 */
const crawl = (dataDir: string, milliseconds: number) => {
  const database = openLocked(dataDir)
  let isOver = false
  const hold = async () => {
    for (;;) {
      await sleep(milliseconds)
      if (isOver) return
      database.exec('ROLLBACK')
      await sleep(milliseconds / 10)
      if (isOver) return
      database.exec('BEGIN IMMEDIATE')
    }
  }
  void hold()
  // Closes at once: waiting for the lock here would block the loop that releases it.
  return () => {
    isOver = true
    database.close()
  }
}

/** Another connection holds the file's write lock. */
const lock = (dataDir: string) => {
  const database = openLocked(dataDir)
  return () => {
    database.exec('ROLLBACK')
    database.close()
  }
}

/** Waits until the lock is free. */
const openLocked = (dataDir: string) => {
  const database = new DatabaseSync(databaseFile(dataDir), { timeout: 30_000 })
  database.exec('BEGIN IMMEDIATE')
  return database
}
