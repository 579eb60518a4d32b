import { sql } from 'kysely'
import type { Database } from '../index.ts'
import { hasSession, sessionKey } from './call-sessions.ts'
import { quotedName } from './log-models.ts'
import { contains } from './text.ts'

export type LogFilter = {
  userId?: number | undefined
  /** The id of a row, or of the request of failed calls. */
  id?: number | undefined
  /** Ids of rows, instead of `id`. */
  ids?: readonly number[] | undefined
  log_type?: number | undefined
  start_timestamp?: number | undefined
  end_timestamp?: number | undefined
  /** A part of the name, or the complete name in double quotes. */
  model_name?: string | undefined
  token_name?: string | undefined
  username?: string | undefined
  channel_id?: number | undefined
  source_ip?: string | undefined
  /** The group that a call counts for: its billing tag, or else the group that it was made in. */
  group?: string | undefined
  /** The session that the client named. */
  session?: string | undefined
  /** A fault code; selects errors only. */
  code?: string | undefined
  /** Complete names, instead of `model_name`. */
  models?: readonly string[] | undefined
  /** Only rows after this one, from the newest to the oldest, or with `isAscending` from the oldest to the newest. */
  after?: { created_at: number; id: number } | undefined
  isAscending?: boolean | undefined
}

/**
 * A user's present name selects the rows of that user, also those from before a change of the name: an index serves
 * them. Any other name is compared with the name that each row was written with.
 */
export const withUserId = async (db: Database, filter: LogFilter): Promise<LogFilter> => {
  const { username, ...others } = filter
  if (!username || filter.userId !== undefined) return filter
  const user = await db
    .selectFrom('users')
    .select('id')
    .where('username', '=', username)
    .executeTakeFirst()
  return user ? { ...others, userId: user.id } : filter
}

/** The rows of failed calls whose request had this id. An index that only errors maintain has exactly these conditions. */
export const errorsOfRequest = (db: Database, id: number) =>
  db
    .selectFrom('logs')
    .select('id')
    .where(sql<boolean>`type = 5`)
    .where(sql<boolean>`json_extract(metadata, '$.request_id') = ${String(id)}`)

/** An id selects the row that has it, and those of failed calls of its request: the row of an error has an id of its own. */
export const withRequestId = async (db: Database, filter: LogFilter): Promise<LogFilter> => {
  const { id, ...others } = filter
  if (!id) return filter
  const errors = await errorsOfRequest(db, id).execute()
  return errors.length === 0 ? filter : { ...others, ids: [id, ...errors.map(row => row.id)] }
}

/** Selects the log rows that a filter describes, without order. */
export const matching = (db: Database, filter: LogFilter) => {
  const { userId, models, model_name, after } = filter
  const type = filter.code === undefined ? filter.log_type : errorType
  const name = quotedName(model_name ?? '')
  return (
    db
      .selectFrom('logs')
      .$if(userId !== undefined, rows => rows.where('logs.user_id', '=', userId!))
      // Literal, because SQLite uses a partial index only for a condition that it can compare with the index's own.
      .$if(!!type, rows => rows.where('logs.type', '=', sql.lit(type!)))
      .$if(rareTypes.includes(type ?? 0), rows => rows.where(isRare))
      .$if(!!filter.id, rows => rows.where('logs.id', '=', filter.id!))
      .$if(filter.ids !== undefined, rows => rows.where('logs.id', 'in', filter.ids!))
      .$if(!!filter.code, rows => rows.where('logs.content', '=', filter.code!))
      .$if(!!filter.start_timestamp, rows =>
        rows.where('logs.created_at', '>=', filter.start_timestamp!),
      )
      .$if(!!filter.end_timestamp, rows =>
        rows.where('logs.created_at', '<=', filter.end_timestamp!),
      )
      .$if(models?.length === 1, rows => rows.where('logs.model_name', '=', models![0]!))
      .$if(models !== undefined && models.length !== 1, rows =>
        rows.where('logs.model_name', 'in', models!),
      )
      .$if(!models && name !== undefined, rows => rows.where('logs.model_name', '=', name!))
      .$if(!models && !!model_name && name === undefined, rows =>
        rows.where(contains('logs.model_name', model_name!)),
      )
      .$if(!!filter.token_name, rows => rows.where('logs.token_name', '=', filter.token_name!))
      .$if(!!filter.username, rows => rows.where('logs.username', '=', filter.username!))
      .$if(!!filter.channel_id, rows => rows.where('logs.channel_id', '=', filter.channel_id!))
      .$if(!!filter.group, rows => rows.where(ofGroup(filter.group!)))
      .$if(!!filter.session, rows =>
        rows.where(hasSession).where(sql<boolean>`${sessionKey} = ${filter.session!}`),
      )
      .$if(!!filter.source_ip, rows => rows.where('logs.source_ip', '=', filter.source_ip!))
      .$if(!!after, rows =>
        rows.where(
          filter.isAscending
            ? sql<boolean>`(logs.created_at, logs.id) > (${after!.created_at}, ${after!.id})`
            : sql<boolean>`(logs.created_at, logs.id) < (${after!.created_at}, ${after!.id})`,
        ),
      )
  )
}

const errorType = 5

/** The condition of a partial index, which SQLite uses only for exactly this text. */
const rareTypes = [1, 3, 4]
const isRare = sql<boolean>`"logs"."type" in (1, 3, 4)`

/** Says whether more rows match than a number, whatever their order. */
export const hasMoreThan = async (
  db: Database,
  filter: LogFilter,
  count: number,
): Promise<boolean> => {
  const row = await matching(db, filter).select('logs.id').limit(1).offset(count).executeTakeFirst()
  return row !== undefined
}

/** Metadata of a call begins with its billing tag or its group, so that no engine parses JSON. */
const ofGroup = (group: string) => {
  const starts = ['billing_tag', 'group_name'].map(key => `{"${key}":${JSON.stringify(group)}`)
  const isAtStart = starts.map(
    start => sql`substr(logs.metadata, 1, ${sql.lit([...start].length)}) = ${start}`,
  )
  return sql<boolean>`(${sql.join(isAtStart, sql` or `)})`
}
