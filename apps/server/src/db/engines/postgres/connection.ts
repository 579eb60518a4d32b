import pg from 'pg'
import type { Logger } from 'pino'

export type WriterConnection = {
  query(statement: { name: string; text: string; values: unknown[] }): Promise<pg.QueryResult>
  close(): Promise<void>
}

type Options = { databaseUrl: string; types: pg.CustomTypesConfig; log: Logger }

/** The ledger's own connection: made when needed, made again after it broke. Never more than one. */
export const connectWriter = ({ databaseUrl, types, log }: Options): WriterConnection => {
  let client: Promise<pg.Client> | undefined

  const connect = async () => {
    const made = new pg.Client({
      connectionString: databaseUrl,
      types,
      keepAlive: true,
      connectionTimeoutMillis: 1000,
      statement_timeout: 5000,
      lock_timeout: 2000,
      query_timeout: 6000,
      application_name: 'hub ledger',
      // Plans are made once, while tables may still be small: they must be right when those have grown.
      options:
        '-c enable_seqscan=off -c enable_hashjoin=off -c enable_mergejoin=off -c jit=off ' +
        '-c plan_cache_mode=force_generic_plan',
    })
    const forget = () => {
      client = undefined
    }
    made.on('error', ({ message }) => {
      log.warn({ reason: message }, 'the ledger lost its database connection')
      forget()
    })
    made.on('end', forget)
    await made.connect()
    return made
  }

  const connected = () => {
    client ??= connect().catch(error => {
      client = undefined
      throw error
    })
    return client
  }

  const query: WriterConnection['query'] = async statement => {
    const current = await connected()
    try {
      return await current.query(statement)
    } catch (error) {
      // A statement that timed out here may still run there: its answer must not meet the next question.
      const isServers = typeof (error as { code?: unknown }).code === 'string'
      if (!isServers) {
        client = undefined
        void current.end().catch(() => {})
      }
      throw error
    }
  }

  const close = async () => {
    const current = client
    client = undefined
    if (current) await (await current.catch(() => undefined))?.end()
  }

  return { query, close }
}
