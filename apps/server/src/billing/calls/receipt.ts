import { logTypes } from '@hub/contract'
import {
  cachedTokens,
  hasTools,
  inputTokens,
  outputTokens,
  type TokenClass,
  type Usage,
  withoutZeros,
} from '@hub/dialects/usage'
import type { App } from '../../core/app.ts'
import type { Call } from '../../core/call.ts'
import type { LogsTable } from '../../db/tables/logs-audit.ts'
import { costColumns, costInReceipt, type StoredCost } from '../costs/call-cost.ts'
import type { CallResult } from '../open-hold.ts'
import type { EffectivePrice } from '../price-cache.ts'
import { inModes, modeRatios, termsAt } from '../prices/terms.ts'
import { tokenClasses, tokenClassSpecs } from '../usage.ts'

/** `lost`: written at a checkpoint, and final only if the process dies before the end of the call. */
export type ReceiptFinish = CallResult['finish'] | 'lost'

type ReceiptFields = {
  usage: Usage
  model: string
  /** Absent: the model that it is billed as. */
  requested?: string | undefined
  estimated: boolean
  estimatedReasoning?: number | undefined
  isEndRead?: boolean | undefined
  channelPromptTokens?: number | undefined
  outputLimit?: number | undefined
  finish: ReceiptFinish
  cache?: CallResult['cache']
  cost?: StoredCost | undefined
}

/** The text stored with a posting. Together with the price version that it names, the charge can be computed again. */
export const writeReceipt = (price: EffectivePrice, fields: ReceiptFields): string =>
  JSON.stringify({
    usage: withoutZeros(fields.usage),
    price: price.priceId,
    ratio: price.terms.group_ratio,
    model: fields.model,
    requested: fields.requested,
    estimated: fields.estimated,
    estimatedReasoning: fields.estimatedReasoning,
    endRead: fields.isEndRead || undefined,
    channelPrompt: fields.channelPromptTokens,
    outputLimit: fields.outputLimit,
    finish: fields.finish,
    cache: fields.cache,
    cost: costInReceipt(fields.cost),
  })

/** The receipt without its texts; usage and price version still prove the charge. */
export const withoutModel = (receipt: string): string => {
  const { usage, price, ratio, estimated, finish, cost } = JSON.parse(receipt)
  return JSON.stringify({ usage, price, ratio, model: '', estimated, finish, cost })
}

/** The parts of a call that its log row shows. */
export type LoggedCall = Pick<Call, 'id' | 'ip' | 'startedAt' | 'session'> & {
  caller: Pick<Call['caller'], 'userId' | 'tokenId' | 'username' | 'tokenName'> & {
    billingTag?: string | undefined
  }
}

type LoggedCharge = {
  result: CallResult
  usage: Usage
  charge: number
  outputLimit?: number | undefined
  cost?: StoredCost | undefined
}

/** The log row of a call, with One Hub's names in its metadata. */
export const writeLog = (
  app: App,
  call: LoggedCall,
  price: EffectivePrice,
  { result, usage, charge, outputLimit, cost }: LoggedCharge,
  createdAt = Math.floor(app.now() / 1000),
): LogsTable => ({
  id: call.id,
  user_id: call.caller.userId,
  created_at: createdAt,
  type: logTypes.consume,
  content: '',
  username: call.caller.username,
  token_name: call.caller.tokenName,
  model_name: result.model,
  quota: charge,
  prompt_tokens: inputTokens(usage),
  completion_tokens: outputTokens(usage),
  channel_id: result.channelId,
  request_time: Math.max(0, Math.round(app.monotonic() - call.startedAt)),
  is_stream: result.stream ? 1 : 0,
  source_ip: call.ip,
  ...costColumns(cost),
  metadata: `${metadataStart(call, price)},${JSON.stringify(callMetadata(call, price, { result, usage, outputLimit })).slice(1)}`,
})

/** The group that the charge is counted for comes first, where `sumCharges` reads it. */
const metadataStart = ({ caller: { billingTag } }: LoggedCall, price: EffectivePrice): string =>
  billingTag
    ? `{"billing_tag":${JSON.stringify(billingTag)},${priceMetadata(price).slice(1)}`
    : priceMetadata(price)

const priceMetadataCache = new WeakMap<EffectivePrice, string>()

/** The start of the metadata, without a closing brace. It is equal for all calls at one price, so it is cached. */
const priceMetadata = (price: EffectivePrice): string => {
  const cached = priceMetadataCache.get(price)
  if (cached !== undefined) return cached
  const text = JSON.stringify({
    group_name: price.group,
    price_type: price.type,
    group_ratio: Number(price.terms.group_ratio),
    input_ratio: Number(price.terms.input),
    output_ratio: price.type === 'times' ? 0 : Number(price.terms.output),
  }).slice(0, -1)
  priceMetadataCache.set(price, text)
  return text
}

/** The rest of the metadata. All keys are always present, because an object of one shape is cheap to create. */
const callMetadata = (
  call: LoggedCall,
  price: EffectivePrice,
  { result, usage, outputLimit }: Omit<LoggedCharge, 'charge'>,
) => ({
  first_response: Math.max(0, Math.round(result.firstByteMs)),
  phases: result.phases,
  path: result.path?.slice(0, pathMax),
  session: call.session,
  cache_prices: call.session === undefined ? undefined : cachePrices(price, usage),
  ...logFields(usage, usage.modes ? inModes(price.terms, usage.modes).ratios : price.terms.ratios),
  modes: usage.modes && modeRatios(price.terms, usage),
  tools: hasTools(usage) ? usage.tools : undefined,
  finish: result.finish,
  cache: result.cache,
  estimated: result.estimated,
  estimated_reasoning: result.estimatedReasoning,
  end_read: result.isEndRead || undefined,
  output_limit: outputLimit,
  channel_key: result.channelKey,
  attempts: result.attempts,
  route: result.route,
  headers_not_passed: result.headersNotPassed,
  requested_model: result.requestedModel === result.model ? undefined : result.requestedModel,
  notes: result.warnings.length > 0 ? result.warnings : undefined,
  receipt: call.id,
})

const pathMax = 200

/**
 * Points for one token of text, fresh and out of the cache, by which `core/usage/prompt-cache.ts` values a miss. None
 * where the price has no cache of its own, or the usage says nothing of one.
 */
const cachePrices = (
  { type, terms: allTerms }: EffectivePrice,
  usage: Usage,
): [number, number] | undefined => {
  const isStated =
    usage.uncached || cachedTokens(usage) > 0 || usage.cacheWrite5m + usage.cacheWrite1h > 0
  if (type === 'times' || !isStated || Number(allTerms.ratios.cacheRead) >= 1) return undefined
  const terms = termsAt(allTerms, usage)
  const input = Number(terms.input) * Number(terms.group_ratio)
  return input > 0 ? [input, input * Number(terms.ratios.cacheRead)] : undefined
}

const loggedClasses: [TokenClass, string][] = tokenClasses.flatMap(each => {
  const { logKey } = tokenClassSpecs[each]
  return logKey ? [[each, logKey]] : []
})
const noFields: Readonly<Record<string, number>> = {}

/**
 * Count and ratio of each class with a log key. Many calls use no such class: then input plus output equals the sum of
 * all classes, exactly, because counts are never negative.
 */
const logFields = (usage: Usage, ratios: EffectivePrice['terms']['ratios']) => {
  if (usage.input + usage.output === inputTokens(usage) + outputTokens(usage)) return noFields
  const fields: Record<string, number> = {}
  for (const [each, key] of loggedClasses) {
    if (usage[each] === 0) continue
    fields[key] = usage[each]
    fields[`${key}_ratio`] = Number(ratios[each])
  }
  return fields
}
