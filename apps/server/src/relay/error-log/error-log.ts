import { type ErrorDetails, type FailedAttempt, logTypes, RefusalFigures } from '@hub/contract'
import { type App, nowSeconds } from '../../core/app.ts'
import { appScoped } from '../../core/app-scoped.ts'
import type { Caller } from '../../core/call.ts'
import { insertErrors } from '../../db/queries/error-logs.ts'
import type { LogsTable } from '../../db/tables/logs-audit.ts'
import type { RequestContext } from '../context.ts'
import { findSessionKey } from '../request/session-key.ts'
import { type CollectedError, ErrorCollector } from './collector.ts'
import { readSentError } from './sent-error.ts'

/** The end of a call that failed: a fault, or a caller who left before anything was charged. */
export type CallFailure = { code: string; status: number; message: string; data?: unknown }

/** nginx's status for a client that closed the request. */
const callerLeft: CallFailure = { code: 'caller.left', status: 499, message: '' }

const writeEveryMs = 1_000

/** Writes rows about failed calls in batches, apart from the ledger. Rows that cannot be written are dropped. */
export const errorLog = appScoped((app: App) => {
  const collector = new ErrorCollector<ErrorRow>(errors => app.metrics.errorLogsDropped.inc(errors))
  let isScheduled = false
  let writing = Promise.resolve()

  const write = async (all: boolean) => {
    const rows = collector.take(app.monotonic(), all)
    if (rows.length === 0) return
    try {
      await insertErrors(app.db, rows.map(completeRow))
    } catch (error) {
      app.metrics.errorLogsDropped.inc(rows.reduce((sum, { count }) => sum + count, 0))
      app.log.warn({ err: error, rows: rows.length }, 'error rows could not be written')
    }
  }

  const writeInTurn = (all: boolean): Promise<void> => {
    writing = writing.then(() => write(all))
    return writing
  }

  const schedule = () => {
    if (isScheduled) return
    isScheduled = true
    setTimeout(async () => {
      await writeInTurn(false)
      isScheduled = false
      if (!collector.isEmpty()) schedule()
    }, writeEveryMs).unref()
  }

  return {
    add(context: RequestContext, caller: Caller, failure: CallFailure) {
      const { code } = failure
      const model = storable(context.record.requestedModel ?? '', modelMax)
      const make = (name: string) => makeRow(app, { context, caller, failure, model: name })
      collector.add({ userId: caller.userId, code, model }, make, app.monotonic())
      schedule()
    },
    /** Says whether the next error of a user gets a row of its own. */
    getsOwnRow: (userId: number): boolean => collector.getsOwnRow(userId, app.monotonic()),
    /** Writes everything that was collected. */
    flush: () => writeInTurn(true),
  }
})

/**
 * Records a call that failed. Calls without a known user are only counted, so that nobody can fill the table with wrong
 * keys. A caller who left a charged call has its consumption row.
 */
export const recordError = (app: App, context: RequestContext, failure: CallFailure): void => {
  const { caller } = context.record
  if (!caller || !app.settings().logs.LogConsumeEnabled) return
  if (context.abort.reason !== 'caller-left') errorLog(app).add(context, caller, failure)
  else if (!context.record.isCharged) errorLog(app).add(context, caller, callerLeft)
}

type ErrorRow = Omit<LogsTable, 'metadata'> & { metadata: Omit<ErrorDetails, 'count'> }

const modelMax = 200
const pathMax = 200
const messageMax = 1_000
const codeMax = 100

/** PostgreSQL refuses NUL in texts. */
const storable = (text: string, max: number): string => text.replaceAll('\0', '').slice(0, max)

type FailedCall = { context: RequestContext; caller: Caller; failure: CallFailure; model: string }

/** The id is one of its own: a broken stream has a consumption row with the id of the request. */
const makeRow = (app: App, { context, caller, failure, model }: FailedCall): ErrorRow => ({
  id: app.ledger.nextId(),
  user_id: caller.userId,
  created_at: nowSeconds(app),
  type: logTypes.error,
  content: failure.code,
  username: caller.username,
  token_name: caller.tokenName,
  model_name: model,
  quota: 0,
  prompt_tokens: 0,
  completion_tokens: 0,
  channel_id: context.record.failedAttempts?.at(-1)?.channel_id ?? 0,
  request_time: Math.max(0, Math.round(app.monotonic() - context.startedAt)),
  is_stream: context.record.isStream ? 1 : 0,
  source_ip: context.ip,
  metadata: {
    // The group comes first, where a search for it reads.
    ...(caller.billingTag && { billing_tag: caller.billingTag }),
    group_name: caller.group,
    request_id: context.requestId,
    operation: context.operation,
    path: storable(context.path, pathMax),
    ...sentBy(context, failure),
    refusal: figuresOf(failure),
    charged: context.record.isCharged,
    attempts: context.record.failedAttempts ?? noAttempts,
    route: context.record.route,
    headers_not_passed: context.upstream.headersNotPassed,
    // A call may be refused before its body is read.
    session: context.record.session ?? findSessionKey(context.request.headers, undefined),
  },
})

const noAttempts: FailedAttempt[] = []

type SentFields = Pick<ErrorDetails, 'status' | 'response_code' | 'message'>

const figuresOf = ({ data }: CallFailure): RefusalFigures | undefined =>
  data === undefined ? undefined : RefusalFigures.safeParse(data).data

/** A caller who left has received no answer of ours, whatever was written before. */
const sentBy = ({ response, record }: RequestContext, failure: CallFailure): SentFields => {
  const sent = failure === callerLeft ? undefined : response.sentError
  const error = sent === undefined ? undefined : readSentError(sent)
  const message = record.upstreamError && error?.message ? error.message : failure.message
  return {
    status: (failure === callerLeft ? undefined : response.status) ?? failure.status,
    response_code: error?.code && storable(error.code, codeMax),
    message: storable(message, messageMax),
  }
}

/** The errors of one row may be of several sessions. */
const completeRow = ({ error, count }: CollectedError<ErrorRow>): LogsTable => ({
  ...error,
  metadata: JSON.stringify({
    ...error.metadata,
    ...(count > 1 && { session: undefined }),
    count,
  } satisfies ErrorDetails),
})
