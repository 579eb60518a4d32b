import { Fault } from '@hub/contract'
import {
  type CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  type DialectAdapter,
  type Driver,
  type QueryResult,
  SelectQueryNode,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
} from 'kysely'
import { withoutNul } from '../../without-nul.ts'
import type { QueryRows } from './thread/protocol.ts'
import type { Thread } from './thread/thread.ts'

/**
 * Serialises the users of the single write connection. A transaction holds the lock over several messages. The ledger
 * has priority, so that it never waits behind a queue of console writes.
 */
export type WriteLock = { acquire(hasPriority: boolean): Promise<() => void> }

export type Threads = { writer: Thread | undefined; reader: Thread; writeLock: WriteLock }

/** A Kysely connection. Outside a transaction it reads with the reader, and acquires the write lock for each write. */
type Connection = DatabaseConnection & {
  begin(): Promise<void>
  end(verb: 'commit' | 'rollback'): Promise<void>
}

const idleMaxMilliseconds = 5000

const isRead = ({ query, sql }: CompiledQuery) =>
  SelectQueryNode.is(query) || (query.kind === 'RawNode' && /^\s*(select|pragma)\b/i.test(sql))

const parametersOf = (query: CompiledQuery) =>
  query.parameters.map(value => {
    if (typeof value === 'boolean') return value ? 1 : 0
    // node:sqlite would silently store NaN as null.
    if (typeof value === 'number' && !Number.isFinite(value)) {
      throw new Fault('server.failed', { detail: `not a number for SQLite: ${query.sql}` })
    }
    return value
  })

const resultOf = <R>({ rows, changes, lastId }: QueryRows): QueryResult<R> => ({
  rows: rows as R[],
  numAffectedRows: BigInt(changes),
  insertId: BigInt(lastId),
})

const connect = ({ writer, reader, writeLock: turns }: Threads): Connection => {
  let release: (() => void) | undefined
  let timer: NodeJS.Timeout | undefined
  let expired = false

  const write = (sql: string, parameters: readonly unknown[] = []) => {
    if (writer) return writer.send({ kind: 'query', sql, parameters })
    throw new Fault('server.failed', { detail: `this store only reads: ${sql}` })
  }

  const releaseLock = () => {
    clearTimeout(timer)
    release?.()
    release = undefined
  }

  // A forgotten transaction would block the ledger forever.
  const startIdleTimer = () => {
    timer = setTimeout(() => void expire().catch(() => {}), idleMaxMilliseconds)
  }

  const expire = async () => {
    expired = true
    await write('rollback').finally(releaseLock)
  }

  return {
    begin: async () => {
      release = await turns.acquire(false)
      try {
        await write('begin immediate')
      } catch (error) {
        releaseLock()
        throw error
      }
      startIdleTimer()
    },
    end: async verb => {
      if (expired) throw new Fault('server.failed', { detail: 'the transaction was left idle' })
      clearTimeout(timer)
      try {
        await write(verb)
      } catch (error) {
        // On a full disk SQLite has rolled back already; the error of the statement must not be replaced.
        if (verb === 'rollback') return
        await write('rollback').catch(() => {})
        throw error
      } finally {
        releaseLock()
      }
    },
    executeQuery: async <R>(query: CompiledQuery) => {
      const parameters = withoutNul(query.sql, parametersOf(query))
      if (expired) throw new Fault('server.failed', { detail: 'the transaction was left idle' })
      if (release) {
        clearTimeout(timer)
        try {
          return resultOf<R>(await write(query.sql, parameters))
        } finally {
          startIdleTimer()
        }
      }
      if (isRead(query)) {
        return resultOf<R>(await reader.send({ kind: 'query', sql: query.sql, parameters }))
      }
      const releaseWrite = await turns.acquire(false)
      try {
        return resultOf<R>(await write(query.sql, parameters))
      } finally {
        releaseWrite()
      }
    },
    streamQuery: async function* <R>(query: CompiledQuery) {
      yield await (this as DatabaseConnection).executeQuery<R>(query)
    },
  }
}

const driver = (threads: Threads): Driver => ({
  init: async () => {},
  acquireConnection: async () => connect(threads),
  beginTransaction: connection => (connection as Connection).begin(),
  commitTransaction: connection => (connection as Connection).end('commit'),
  rollbackTransaction: connection => (connection as Connection).end('rollback'),
  releaseConnection: async () => {},
  destroy: async () => {},
})

/** The adapter of Kysely assumes one connection for SQLite, so that every read would wait for every transaction. */
const adapter = (): DialectAdapter =>
  Object.create(new SqliteAdapter(), {
    supportsMultipleConnections: { value: true },
    supportsTransactionalDdl: { value: true },
  })

export const sqliteDialect = (threads: Threads): Dialect => ({
  createAdapter: adapter,
  createDriver: () => driver(threads),
  createIntrospector: db => new SqliteIntrospector(db),
  createQueryCompiler: () => new SqliteQueryCompiler(),
})
