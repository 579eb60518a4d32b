import { type CallSession, type CallSessions, logTypes } from '@hub/contract'
import type { App } from '../../core/app.ts'
import { withDeadline } from '../../db/engines/deadline.ts'
import type { Database } from '../../db/index.ts'
import {
  hasRowSince,
  listSessionRows,
  type Position,
  type SessionRow,
  sumSession,
} from '../../db/queries/call-sessions.ts'
import { readCursor } from './search.ts'

/** One page reads at most this many rows, in steps: a session of many calls must not make a list slow. */
const stepRows = 1_000
const stepsMax = 20
/** The newest calls of a session that are summed. */
const callsMax = 10_000
const modelsMax = 10

type SessionSearch = { userId?: number | undefined; after?: string | undefined; size: number }

/**
 * Lists sessions by their newest row. The cursor is that row's place: a session with a row at or after it was on an
 * earlier page. A page may have few sessions, or none, and still be followed by another.
 */
export const listSessions = async (
  app: App,
  { userId, after, size }: SessionSearch,
): Promise<CallSessions> => {
  const cursor = after === undefined ? undefined : readCursor(after)
  return withDeadline(app.db, async db => {
    const { found, next } = await findSessions(db, { userId, cursor, size })
    const data: CallSession[] = []
    for (const row of found) data.push(await readFigures(db, row))
    return { data, next: next ? `${next.created_at}.${next.id}` : null }
  })
}

type SessionWalk = { userId: number | undefined; cursor: Position | undefined; size: number }

const findSessions = async (db: Database, { userId, cursor, size }: SessionWalk) => {
  const found: SessionRow[] = []
  const seen = new Set<string>()
  let before = cursor
  for (let step = 0; step < stepsMax; step++) {
    const rows = await listSessionRows(db, { userId, before, limit: stepRows })
    for (const row of rows) {
      const name = `${row.user_id} ${row.session}`
      if (seen.has(name)) continue
      seen.add(name)
      const session = { userId: row.user_id, session: row.session }
      if (cursor && (await hasRowSince(db, session, cursor))) continue
      found.push(row)
      if (found.length === size) return { found, next: row }
    }
    before = rows.at(-1)
    if (rows.length < stepRows) return { found, next: undefined }
  }
  return { found, next: before }
}

const readFigures = async (
  db: Database,
  { user_id, username, session }: SessionRow,
): Promise<CallSession> => {
  const parts = await sumSession(db, { userId: user_id, session }, callsMax)
  const calls = parts.filter(({ type }) => type === logTypes.consume)
  const errors = parts.filter(({ type }) => type === logTypes.error)
  const sum = (rows: readonly SessionSum[], figureOf: (part: SessionSum) => number) =>
    rows.reduce((total, part) => total + figureOf(part), 0)
  const models = new Map<string, number>()
  for (const { model, rows } of parts) models.set(model, (models.get(model) ?? 0) + rows)
  return {
    ...{ key: session, user_id, username },
    first_at: Math.min(...parts.map(({ first }) => first)),
    last_at: Math.max(...parts.map(({ last }) => last)),
    complete: sum(parts, ({ rows }) => rows) < callsMax,
    calls: sum(calls, ({ rows }) => rows),
    errors: sum(errors, ({ rows }) => rows),
    quota: sum(calls, ({ quota }) => quota),
    prompt_tokens: sum(calls, ({ input }) => input),
    completion_tokens: sum(calls, ({ output }) => output),
    read_tokens: sum(calls, ({ read }) => read),
    written_tokens: sum(calls, ({ written }) => written),
    request_time: sum(calls, ({ requestTime }) => requestTime),
    models: [...models]
      .filter(([model]) => model !== '')
      .toSorted(([, a], [, b]) => b - a)
      .slice(0, modelsMax)
      .map(([model]) => model),
  }
}

type SessionSum = Awaited<ReturnType<typeof sumSession>>[number]
