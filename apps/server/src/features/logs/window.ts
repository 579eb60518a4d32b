import { type App, nowSeconds } from '../../core/app.ts'
import { withDeadline } from '../../db/engines/deadline.ts'
import { hasMoreThan, type LogFilter, withUserId } from '../../db/queries/log-filter.ts'

/** Rows that any search may read. */
const readMax = 50_000
const windowSeconds = 7 * 86_400

/** `since` is the beginning that the server chose. */
type Windowed<F> = F & { since: number | null }

/**
 * Begins a search at the last seven days, if each of many rows would be compared with it and nobody chose a beginning.
 * A beginning of 0 searches all rows.
 */
export const withWindow = async <F extends LogFilter>(
  app: App,
  filter: F,
): Promise<Windowed<F>> => {
  if (filter.start_timestamp !== undefined) return { ...filter, since: null }
  const search = await withUserId(app.db, filter)
  if (!comparesRows(search)) return { ...filter, since: null }
  const { userId, channel_id, log_type, end_timestamp } = search
  const compared = { userId, channel_id, log_type, end_timestamp }
  if (!(await withDeadline(app.db, db => hasMoreThan(db, compared, readMax))))
    return { ...filter, since: null }
  const since = (end_timestamp || nowSeconds(app)) - windowSeconds
  return { ...filter, start_timestamp: since, since }
}

/** Says whether no index has the rows that a filter finds. `username` is a name that nobody has now. */
const comparesRows = ({ id, session, code, ...filter }: LogFilter): boolean => {
  if (id || session || code !== undefined) return false
  const { token_name, source_ip, username, userId, model_name } = filter
  return Boolean(token_name || source_ip || username || (userId !== undefined && model_name))
}
