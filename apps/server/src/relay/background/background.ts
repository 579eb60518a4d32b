import { Fault } from '@hub/contract'
import { type Dialect, outputIds, type Usage } from '@hub/dialects'
import { providerOf } from '@hub/providers'
import {
  type DetachedDraft,
  detachedCall,
  recoverDetached,
  settleDetached,
  voidDetached,
} from '../../billing/calls/detached.ts'
import type { CallResult } from '../../billing/open-hold.ts'
import type { App } from '../../core/app.ts'
import * as backgroundCalls from '../../db/queries/background-calls.ts'
import * as vendorResponses from '../../db/queries/vendor-responses.ts'
import type { BackgroundCallsTable } from '../../db/tables/responses.ts'
import { failpoint } from '../../lib/failpoint.ts'
import type { Attempt, CallContext } from '../context.ts'
import { chargedModes, inModes } from '../price-fields/charged-modes.ts'
import { type RequestedModes, unpricedPolicyOf } from '../price-fields/check-fields.ts'
import { countPromptOf } from '../prompt-count/prompt-of-call.ts'
import { isResponseId } from '../references/response-ids.ts'
import { billOfStored } from '../references/stored-bill.ts'
import { estimateUsage } from '../response/estimate-usage.ts'
import {
  estimateHiddenReasoning,
  type ReasoningTerms,
  reasoningTerms,
} from '../response/left/estimate.ts'
import { forgetRead, readTokens } from './read-output.ts'
import { recordItems } from './record-items.ts'

/** The fields of the later receipt and log row that are known when the call is detached. */
type ReceiptDraft = DetachedDraft & {
  model: string
  requestedModel: string
  /** As it is charged where the vendor reports no usage. */
  promptTokens: number
  stream: boolean
  firstByteMs: number
  /** How the vendor was asked to serve the call; absent in calls that an earlier release detached. */
  serving?: { providerType: number; requested: RequestedModes; allowsUnpriced: boolean }
  /** Absent in calls that an earlier release detached. */
  reasoning?: ReasoningTerms
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
  attempt: Attempt,
  promptTokens: number,
): ReceiptDraft => {
  const { channel, billedModel, serving } = attempt
  const { caller, parsed, ip, startedAt, session } = context
  return {
    ip,
    session,
    username: caller.username,
    tokenName: caller.tokenName,
    billingTag: caller.billingTag || undefined,
    group: caller.group,
    model: billedModel,
    requestedModel: context.record.requestedModel ?? context.parsed.model,
    promptTokens,
    stream: parsed.stream,
    firstByteMs: Math.round(app.monotonic() - startedAt),
    serving: {
      providerType: channel.provider.type,
      requested: serving.requested,
      allowsUnpriced: unpricedPolicyOf(channel) === 'allow',
    },
    reasoning: reasoningTerms(context, attempt),
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
  const used = await usageOf(app, dialect, { row, draft, response, body })
  const { status } = response
  if (used) await charge(app, row, draft, { status, used })
  else await voidDetached(app, row.request_id)
  failpoint('background settled')
  await backgroundCalls.remove(app.callDb, row.request_id)
  forgetRead(app, row.answer_id)
  return true
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
  const read = await readTokens(app, row)
  const draft = JSON.parse(row.receipt_draft) as ReceiptDraft
  if (read > 0) {
    const used = await withHiddenReasoning(app, { row, draft }, estimateUsage(draft, read), read)
    await charge(app, row, draft, { status: 'failed', used })
  }
  // A node of an earlier release may have left a checkpoint.
  else await recoverDetached(app, row.request_id)
  await backgroundCalls.remove(app.callDb, row.request_id)
  forgetRead(app, row.answer_id)
}

type PolledResponse = { status?: unknown; usage?: unknown; output?: unknown }
type KnownUsage = Pick<CallResult, 'usage' | 'estimated' | 'estimatedReasoning'>

export const parseResponse = (body: Buffer): PolledResponse => {
  try {
    const value: unknown = JSON.parse(body.toString())
    return typeof value === 'object' && value !== null ? value : {}
  } catch {
    return {}
  }
}

type EndedCall = {
  row: BackgroundCallsTable
  draft: ReceiptDraft
  response: PolledResponse
  body: Buffer
}

/**
 * The vendor's report; else the gateway's own count of what was made or read, with the reasoning that it may have hidden.
 * Undefined where the vendor failed before anything was read.
 */
const usageOf = async (
  app: App,
  dialect: Dialect,
  { row, draft, response, body }: EndedCall,
): Promise<KnownUsage | undefined> => {
  const { status } = response
  const isAnswer = status === 'completed' || status === 'incomplete'
  const summary = isAnswer ? dialect.readAnswer(body) : undefined
  const reported = summary?.ok ? summary.usage : reportedIn(dialect, response)
  if (typeof reported === 'object') return { usage: reported, estimated: false }
  if (isAnswer)
    app.metrics.alarms.inc({ kind: reported === 'broken' ? 'usage_broken' : 'usage_missing' })
  const metered = Math.max(meteredIn(dialect, response), await readTokens(app, row))
  if (status === 'failed' && metered === 0) return undefined
  const usage = estimateUsage(draft, metered)
  // A vendor that failed sells no reasoning.
  return status === 'failed'
    ? { usage, estimated: true }
    : withHiddenReasoning(app, { row, draft }, usage, metered)
}

/** Adds the reasoning that nobody reported. */
const withHiddenReasoning = async (
  app: App,
  { row, draft }: Pick<EndedCall, 'row' | 'draft'>,
  usage: Usage,
  metered: number,
): Promise<KnownUsage> => {
  const { reasoning: terms } = draft
  if (!terms) return { usage, estimated: true }
  const reasoning = await estimateHiddenReasoning(app, terms, {
    ...{ tokens: metered, visibleReasoning: 0 },
    seconds: Math.max(1, app.now() / 1_000 - row.created_at),
  })
  if (reasoning === 0) return { usage, estimated: true }
  return { usage: { ...usage, reasoning }, estimated: true, estimatedReasoning: reasoning }
}

/** The output of a response, whatever its status, by the gateway's count. */
export const meteredIn = (dialect: Dialect, response: object): number => {
  const whole = { ...response, status: 'completed', error: null, usage: undefined }
  const summary = dialect.readAnswer(Buffer.from(JSON.stringify(whole)))
  return summary.ok ? summary.meteredTokens : 0
}

const reportedIn = (dialect: Dialect, { usage }: PolledResponse): Usage | 'broken' | undefined =>
  usage === undefined || usage === null ? undefined : dialect.decodeUsage(usage)

const detachedOf = (row: BackgroundCallsTable, draft: ReceiptDraft) =>
  detachedCall(row.request_id, row, draft)

const charge = async (
  app: App,
  row: BackgroundCallsTable,
  draft: ReceiptDraft,
  { status, used }: { status: unknown; used: KnownUsage },
): Promise<void> => {
  const bill = await billOfStored(app, { channelId: row.channel_id, model: draft.requestedModel })
  await settleDetached(app, detachedOf(row, draft), { ...resultOf(row, draft, status, used), bill })
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
