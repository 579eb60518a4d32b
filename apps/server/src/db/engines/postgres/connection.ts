import pg from 'pg'
import type { Logger } from 'pino'

export type WriterConnection = {
  query(statement: { name: string; text: string; values: unknown[] }): Promise<pg.QueryResult>
  close(): Promise<void>
}

type WriterOptions = { databaseUrl: string; types: pg.CustomTypesConfig; log: Logger }

/** The single connection of the ledger. It is opened on demand and reopened after a failure. */
export const connectWriter = ({ databaseUrl, types, log }: WriterOptions): WriterConnection => {
  let client: Promise<pg.Client> | undefined

  const connect = async () => {
    const connecting = new pg.Client({
      connectionString: databaseUrl,
      types,
      keepAlive: true,
      connectionTimeoutMillis: 1000,
      statement_timeout: 5000,
      lock_timeout: 2000,
      query_timeout: 6000,
      application_name: 'hub ledger',
      // Generic plans are made once, when tables may be small: these options keep them right for large tables.
      options:
        '-c enable_seqscan=off -c enable_hashjoin=off -c enable_mergejoin=off -c jit=off ' +
        '-c plan_cache_mode=force_generic_plan',
    })
    const forget = () => {
      client = undefined
    }
    connecting.on('error', ({ message }) => {
      log.warn({ reason: message }, 'the ledger lost its database connection')
      forget()
    })
    connecting.on('end', forget)
    await connecting.connect()
    return connecting
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
      // A statement that timed out here may still run on the server: close the connection, so that its late response is
      // not taken for the response to the next statement.
      const isServerError = typeof (error as { code?: unknown }).code === 'string'
      if (!isServerError) {
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
