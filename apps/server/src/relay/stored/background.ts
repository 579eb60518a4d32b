import { Fault } from '@hub/contract'
import type { Dialect, Usage } from '@hub/dialects'
import {
  type LeftCall,
  noteDelivered,
  recoverLater,
  settleLater,
  voidLater,
} from '../../billing/calls/later.ts'
import type { Ending, Held } from '../../billing/held.ts'
import type { App } from '../../core/app.ts'
import type { Call } from '../../core/call.ts'
import * as background from '../../db/queries/background.ts'
import * as stored from '../../db/queries/stored.ts'
import type { BackgroundCallsTable } from '../../db/tables/stored.ts'
import { failpoint } from '../../lib/failpoint.ts'
import { type Bill, estimateUsage } from '../deliver/ending.ts'
import { isId } from './holder.ts'

/** What a receipt and a log row will say, kept until the answer is there. */
type Told = Pick<LeftCall['call'], 'ip'> & {
  username: string
  tokenName: string
  group: string
  model: string
  requestedModel: string
  promptTokens: number
  stream: boolean
  firstByteMs: number
}

export type Leaving = { call: Call; bill: Bill; held: Held; credential: string; answerId: string }

const firstLookSeconds = 2

/** https://platform.openai.com/docs/api-reference/responses/object: what does not change any more. */
const terminal = new Set(['completed', 'incomplete', 'failed', 'cancelled'])

export const isTerminal = (status: unknown): boolean => terminal.has(String(status))

/** The caller may be told of the answer that is being made: its owner, its account and its hold are on disk. */
export const leaveRunning = async (app: App, leaving: Leaving): Promise<void> => {
  const { call, bill, held, credential, answerId } = leaving
  if (!isId(answerId)) throw new Fault('upstream.garbage', { detail: 'not an id of an answer' })
  const now = Math.floor(app.now() / 1_000)
  const { userId, tokenId, username, tokenName, group } = call.caller
  const told: Told = {
    ip: call.ip,
    username,
    tokenName,
    group,
    model: bill.billedModel,
    requestedModel: bill.ask.model,
    promptTokens: bill.ask.promptTokens,
    stream: bill.ask.stream,
    firstByteMs: Math.round(app.monotonic() - call.startedAt),
  }
  const common = { user_id: userId, channel_id: bill.channelId, credential, created_at: now }
  await held.leave(bill.billedModel, priceId =>
    app.db.transaction().execute(async tx => {
      await stored.add(tx, { ...common, id: answerId, request_id: call.id })
      await background.add(tx, {
        ...common,
        request_id: call.id,
        answer_id: answerId,
        token_id: tokenId,
        price_id: priceId,
        told: JSON.stringify(told),
        attempts: 0,
        run_at: now + firstLookSeconds,
      })
    }),
  )
  failpoint('background left')
}

/**
 * Charges what a running call turns out to have used, once its answer does not change any more; false: it still runs.
 * Whoever sees it first does it, and whoever sees it again posts nothing.
 */
export const settleSeen = async (
  app: App,
  row: BackgroundCallsTable,
  dialect: Dialect,
  body: Buffer,
): Promise<boolean> => {
  const seen = parsed(body)
  if (!isTerminal(seen.status)) return false
  const told = JSON.parse(row.told) as Told
  const usage = usageOf(app, dialect, told, { seen, body })
  if (usage) await settleLater(app, leftOf(row, told), endingOf(row, told, seen.status, usage))
  else await voidLater(app, row.request_id)
  failpoint('background settled')
  await background.end(app.db, row.request_id)
  return true
}

/** What its caller has read of the answer, in case that nobody ever learns how it ended. */
export const noteRead = async (app: App, answerId: string, metered: number): Promise<void> => {
  const row = await background.findByAnswer(app.db, answerId)
  if (!row || metered === 0) return
  const told = JSON.parse(row.told) as Told
  await noteDelivered(app, leftOf(row, told), told.model, estimateUsage(told, metered))
}

/** Nobody will ever know what it used: as after a crash, what was read of it is charged. */
export const giveUp = async (app: App, row: BackgroundCallsTable, why: string): Promise<void> => {
  app.log.error(
    { request: row.request_id, channel: row.channel_id, why },
    'a background call is lost',
  )
  app.metrics.alarms.inc({ kind: 'background-lost' })
  await recoverLater(app, row.request_id)
  await background.end(app.db, row.request_id)
}

type Seen = { status?: unknown; usage?: unknown }
type Used = { usage: Usage; estimated: boolean }

const parsed = (body: Buffer): Seen => {
  try {
    const value: unknown = JSON.parse(body.toString())
    return typeof value === 'object' && value !== null ? value : {}
  } catch {
    return {}
  }
}

/** What the vendor reports; of an answer without a report the gateway's own count, of none at all nothing. */
const usageOf = (
  app: App,
  dialect: Dialect,
  told: Told,
  { seen, body }: { seen: Seen; body: Buffer },
): Used | undefined => {
  const isAnswer = seen.status === 'completed' || seen.status === 'incomplete'
  const facts = isAnswer ? dialect.readReply(body) : undefined
  const reported = facts?.ok ? facts.usage : reportedIn(dialect, seen)
  if (typeof reported === 'object') return { usage: reported, estimated: false }
  if (!isAnswer) return undefined
  app.metrics.alarms.inc({ kind: reported === 'broken' ? 'usage-broken' : 'usage-missing' })
  const metered = facts?.ok ? facts.metered : 0
  return { usage: estimateUsage(told, metered), estimated: true }
}

const reportedIn = (dialect: Dialect, { usage }: Seen): Usage | 'broken' | undefined =>
  usage === undefined || usage === null ? undefined : dialect.decodeUsage(usage)

const leftOf = (row: BackgroundCallsTable, told: Told): LeftCall => {
  const { ip, username, tokenName, group } = told
  const caller = { userId: row.user_id, tokenId: row.token_id, username, tokenName, group }
  return {
    call: { id: row.request_id, ip, caller },
    priceId: row.price_id,
    createdAt: row.created_at,
  }
}

const endingOf = (
  row: BackgroundCallsTable,
  { model, requestedModel, stream, firstByteMs }: Told,
  status: unknown,
  used: Used,
): Ending => ({
  model,
  requestedModel,
  channelId: row.channel_id,
  ...used,
  finish: finishes[String(status)] ?? 'complete',
  stream,
  firstByteMs,
  notes: [],
})

const finishes: Readonly<Record<string, Ending['finish']>> = {
  failed: 'upstream-broke',
  cancelled: 'caller-left',
}
