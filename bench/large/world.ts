import pg from 'pg'
import {
  detachMonthsBefore,
  dropDetachedMonths,
} from '../../apps/server/src/db/engines/postgres/months.ts'
import { startPostgres } from '../../apps/server/test/postgres.ts'
import { administer } from '../../test/harness/admin.ts'
import { type Gateway, startGateway } from '../../test/harness/gateway.ts'
import { cores } from '../cores.ts'
import { openBase } from './base.ts'
import { type DatasetSize, fill, firstSession } from './fill.ts'

export type EngineName = 'sqlite' | 'postgres'
export type TestHub = {
  gateway: Gateway
  /** The keys of ten users. */
  keys: string[]
  /** The session of the busy user. */
  cookie: string
  /** The names of the busy user and of one with few calls. */
  names: { busy: string; other: string }
  /** The months of logs that ended 45 days ago, on PostgreSQL. */
  oldMonths?: {
    /** Returns about how many rows they had. */
    detach(): Promise<number>
    drop(): Promise<void>
  }
  close(): Promise<void>
}

/** A gateway that is set up, called once, stopped, filled with rows, and started again. */
export const makeWorld = async (
  engine: EngineName,
  upstream: string,
  shape: DatasetSize,
): Promise<TestHub> => {
  const postgres = engine === 'postgres' ? await startPostgres() : undefined
  const databaseUrl = await postgres?.database('large')
  const gateway = await startGateway({
    databaseUrl,
    ...(cores.target === undefined ? {} : { core: cores.target }),
  })
  const close = async () => {
    await gateway.close()
    await postgres?.stop()
  }
  try {
    const admin = administer(gateway)
    await admin.addChannel(upstream, { models: 'bench-model' })
    await admin.setPrice('bench-model', 'tokens', 0.01, 0.02)
    await admin.api('PUT', '/api/user_group/', { id: 1, api_rate: 1_000_000 })
    // Their list is measured too.
    await admin.setOption('UserInvoiceMonth', 'true')
    const busy = await admin.addPerson(1_000_000, { name: 'busy' })
    await callOnce(gateway)
    await gateway.stop()
    const base = await openBase(gateway)
    const [token] = await base.rows(`select id from tokens where user_id = ${busy.id}`)
    const keys = await fill(base, shape, { userId: busy.id, tokenId: Number(token?.id) })
    await base.close()
    await gateway.start()
    const months = databaseUrl === undefined ? {} : { oldMonths: oldMonthsOf(databaseUrl) }
    const names = { busy: busy.username, other: `bench-${busy.id + 1}` }
    return { gateway, keys, cookie: busy.cookie, names, close, ...months }
  } catch (error) {
    await close()
    throw error
  }
}

const oldMonthsOf = (databaseUrl: string) => {
  const withPool = async <T>(work: (pool: pg.Pool) => Promise<T>) => {
    const pool = new pg.Pool({ connectionString: databaseUrl, max: 1 })
    return work(pool).finally(() => pool.end())
  }
  const before = Math.floor(Date.now() / 1000) - 45 * 86_400
  return {
    detach: () => withPool(pool => detachMonthsBefore(pool, before)),
    drop: () => withPool(dropDetachedMonths),
  }
}

/** The rows that this writes are what the others are copies of. */
const callOnce = async ({ url, rootKey }: Gateway) => {
  const response = await fetch(`${url}/v1/chat/completions`, {
    method: 'POST',
    headers: {
      ...{ authorization: `Bearer ${rootKey}`, 'content-type': 'application/json' },
      'x-session-id': firstSession,
    },
    body: JSON.stringify({ model: 'bench-model', messages: [{ role: 'user', content: 'Hi' }] }),
  })
  if (!response.ok) throw new Error(`the first call was answered with ${response.status}`)
  await response.arrayBuffer()
}
