import { Fault } from '@hub/contract'
import { type Dialect, outputIds, type Usage } from '@hub/dialects'
import { providerOf } from '@hub/providers'
import {
  checkpointDetached,
  type DetachedCall,
  recoverDetached,
  settleDetached,
  voidDetached,
} from '../../../billing/calls/detached.ts'
import type { CallResult } from '../../../billing/open-hold.ts'
import type { App } from '../../../core/app.ts'
import * as backgroundCalls from '../../../db/queries/background-calls.ts'
import * as vendorResponses from '../../../db/queries/vendor-responses.ts'
import type { BackgroundCallsTable } from '../../../db/tables/responses.ts'
import { failpoint } from '../../../lib/failpoint.ts'
import { type Attempt, type CallContext, requestedModelOf } from '../../context.ts'
import { chargedModes, inModes } from '../../price-fields/charged-modes.ts'
import { type RequestedModes, unpricedPolicyOf } from '../../price-fields/check-fields.ts'
import { countPromptOf } from '../../prompt-count/prompt-of-call.ts'
import { estimateUsage, isResponseId } from '../../response/finalize.ts'
import { recordItems } from './record-items.ts'

/** The fields of the later receipt and log row that are known when the call is detached. */
type ReceiptDraft = Pick<DetachedCall['call'], 'ip' | 'session'> & {
  username: string
  tokenName: string
  group: string
  billingTag?: string | undefined
  model: string
  requestedModel: string
  /** As it is charged where the vendor reports no usage. */
  promptTokens: number
  stream: boolean
  firstByteMs: number
  /** How the vendor was asked to serve the call; absent in calls that an earlier release detached. */
  serving?: { providerType: number; requested: RequestedModes; allowsUnpriced: boolean }
}

const firstPollSeconds = 2

/** Statuses that do not change any more: https://platform.openai.com/docs/api-reference/responses/object */
const terminalStatuses = new Set(['completed', 'incomplete', 'failed', 'cancelled'])

export const isTerminal = (status: unknown): boolean => terminalStatuses.has(String(status))

/** Detaches the hold from the call: owner, account and hold are durable before the caller learns the response's id. */
export const detachCall = async (
  app: App,
  context: CallContext,
  attempt: Attempt,
  responseId: string,
): Promise<void> => {
  if (!isResponseId(responseId))
    throw new Fault('upstream.invalid_response', { detail: 'not an id of a response' })
  const { channel, key, billedModel } = attempt
  // Any process may charge the call, and none has its body then.
  const promptTokens = await countPromptOf(app, context, attempt)
  const now = Math.floor(app.now() / 1_000)
  const common = {
    user_id: context.caller.userId,
    channel_id: channel.id,
    credential: key.fingerprint,
    created_at: now,
  }
  await context.hold.detach(billedModel, priceId =>
    app.callDb.transaction().execute(async tx => {
      await vendorResponses.add(tx, { ...common, id: responseId, request_id: context.id })
      await backgroundCalls.add(tx, {
        ...common,
        request_id: context.id,
        answer_id: responseId,
        token_id: context.caller.tokenId,
        price_id: priceId,
        receipt_draft: JSON.stringify(draftOf(app, context, attempt, promptTokens)),
        attempts: 0,
        run_at: now + firstPollSeconds,
      })
    }),
  )
  failpoint('background left')
}

const draftOf = (
  app: App,
  context: CallContext,
  { channel, billedModel, serving }: Attempt,
  promptTokens: number,
): ReceiptDraft => {
  const { caller, parsed, ip, startedAt, session } = context
  return {
    ip,
    session,
    username: caller.username,
    tokenName: caller.tokenName,
    billingTag: caller.billingTag || undefined,
    group: caller.group,
    model: billedModel,
    requestedModel: requestedModelOf(context),
    promptTokens,
    stream: parsed.stream,
    firstByteMs: Math.round(app.monotonic() - startedAt),
    serving: {
      providerType: channel.provider.type,
      requested: serving.requested,
      allowsUnpriced: unpricedPolicyOf(channel) === 'allow',
    },
  }
}

/** A usage in the modes that its answer names, or else the request. */
const served = (usage: Usage, { serving }: ReceiptDraft): Usage => {
  const provider = serving && providerOf(serving.providerType)
  return provider ? inModes(usage, chargedModes(provider, serving.requested, usage.served)) : usage
}

/**
 * Charges a background call once its response is final; resolves with false while it still runs. Any process may do
 * this, and only the first posts a charge.
 */
export const settleIfFinal = async (
  app: App,
  row: BackgroundCallsTable,
  dialect: Dialect,
  body: Buffer,
): Promise<boolean> => {
  const response = parseResponse(body)
  if (!isTerminal(response.status)) return false
  await recordItems(app, row, Object.values(outputIds(response.output)).flat())
  const draft = JSON.parse(row.receipt_draft) as ReceiptDraft
  const used = usageOf(app, dialect, draft, { response, body })
  if (used)
    await settleDetached(app, detachedOf(row, draft), resultOf(row, draft, response.status, used))
  else await voidDetached(app, row.request_id)
  failpoint('background settled')
  await backgroundCalls.remove(app.callDb, row.request_id)
  return true
}

/** Records the output that the caller has read, which is charged if the response's end never becomes known. */
export const checkpointRead = async (
  app: App,
  responseId: string,
  metered: number,
): Promise<void> => {
  const row = await backgroundCalls.findByAnswer(app.callDb, responseId)
  if (!row || metered === 0) return
  const draft = JSON.parse(row.receipt_draft) as ReceiptDraft
  const usage = served(estimateUsage(draft, metered), draft)
  await checkpointDetached(app, detachedOf(row, draft), draft.model, usage)
}

/** Ends a call whose usage will never be known: what was read of it is charged, as after a crash. */
export const giveUp = async (
  app: App,
  row: BackgroundCallsTable,
  reason: string,
): Promise<void> => {
  app.log.error(
    { request: row.request_id, channel: row.channel_id, reason },
    'a background call is lost',
  )
  app.metrics.alarms.inc({ kind: 'background_lost' })
  await recoverDetached(app, row.request_id)
  await backgroundCalls.remove(app.callDb, row.request_id)
}

type PolledResponse = { status?: unknown; usage?: unknown; output?: unknown }
type KnownUsage = { usage: Usage; estimated: boolean }

const parseResponse = (body: Buffer): PolledResponse => {
  try {
    const value: unknown = JSON.parse(body.toString())
    return typeof value === 'object' && value !== null ? value : {}
  } catch {
    return {}
  }
}

/** The vendor's report; the gateway's own count of an answer without one; undefined where there is no answer. */
const usageOf = (
  app: App,
  dialect: Dialect,
  draft: ReceiptDraft,
  { response, body }: { response: PolledResponse; body: Buffer },
): KnownUsage | undefined => {
  const isAnswer = response.status === 'completed' || response.status === 'incomplete'
  const summary = isAnswer ? dialect.readReply(body) : undefined
  const reported = summary?.ok ? summary.usage : reportedIn(dialect, response)
  if (typeof reported === 'object') return { usage: reported, estimated: false }
  if (!isAnswer) return undefined
  app.metrics.alarms.inc({ kind: reported === 'broken' ? 'usage_broken' : 'usage_missing' })
  const metered = summary?.ok ? summary.meteredTokens : 0
  return { usage: estimateUsage(draft, metered), estimated: true }
}

const reportedIn = (dialect: Dialect, { usage }: PolledResponse): Usage | 'broken' | undefined =>
  usage === undefined || usage === null ? undefined : dialect.decodeUsage(usage)

const detachedOf = (row: BackgroundCallsTable, draft: ReceiptDraft): DetachedCall => {
  const { ip, session, username, tokenName, group, billingTag } = draft
  const names = { username, tokenName, group, billingTag }
  const caller = { userId: row.user_id, tokenId: row.token_id, ...names }
  return {
    call: { id: row.request_id, ip, session, caller },
    priceId: row.price_id,
    createdAt: row.created_at,
  }
}

const resultOf = (
  row: BackgroundCallsTable,
  draft: ReceiptDraft,
  status: unknown,
  used: KnownUsage,
): CallResult => ({
  model: draft.model,
  requestedModel: draft.requestedModel,
  channelId: row.channel_id,
  ...used,
  usage: served(used.usage, draft),
  allowsUnpricedModes: draft.serving?.allowsUnpriced,
  finish: finishes[String(status)] ?? 'complete',
  stream: draft.stream,
  firstByteMs: draft.firstByteMs,
  warnings: [],
})

const finishes: Readonly<Record<string, CallResult['finish']>> = {
  failed: 'upstream-broke',
  cancelled: 'caller-left',
}
