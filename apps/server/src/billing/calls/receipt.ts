import { logTypes } from '@hub/contract'
import type { Usage } from '@hub/dialects'
import type { App } from '../../core/app.ts'
import type { Call } from '../../core/call.ts'
import type { LogsTable } from '../../db/tables/trade.ts'
import type { Priced } from '../book.ts'
import type { Ending } from '../held.ts'
import { logKeys } from '../prices/terms.ts'
import { inputTokens, outputTokens, type TokenClass } from '../usage.ts'

/** `lost`: written at a checkpoint, it stands only if the process dies before the end. */
type ReceiptFinish = Ending['finish'] | 'lost'

type Facts = {
  usage: Usage
  model: string
  /** Absent: the model it is billed as. */
  requested?: string | undefined
  estimated: boolean
  finish: ReceiptFinish
}

/** What a posting was charged for: with the price version it names, anybody can compute the charge again. */
export const writeReceipt = (priced: Priced, facts: Facts): string =>
  JSON.stringify({
    usage: usedOnly(facts.usage),
    price: priced.priceId,
    ratio: priced.terms.group_ratio,
    model: facts.model,
    requested: facts.requested,
    estimated: facts.estimated,
    finish: facts.finish,
  })

/** What a log row says of a call. */
export type LoggedCall = Pick<Call, 'id' | 'ip' | 'startedAt'> & {
  caller: Pick<Call['caller'], 'userId' | 'tokenId' | 'username' | 'tokenName'>
}

type Charged = { ending: Ending; usage: Usage; charge: number }

/** The row that people see, with One Hub's names in its metadata. */
export const writeLog = (
  app: App,
  call: LoggedCall,
  priced: Priced,
  { ending, usage, charge }: Charged,
  createdAt = Math.floor(app.now() / 1000),
): LogsTable => ({
  id: call.id,
  user_id: call.caller.userId,
  created_at: createdAt,
  type: logTypes.consume,
  content: '',
  username: call.caller.username,
  token_name: call.caller.tokenName,
  model_name: ending.model,
  quota: charge,
  prompt_tokens: inputTokens(usage),
  completion_tokens: outputTokens(usage),
  channel_id: ending.channelId,
  request_time: Math.max(0, Math.round(app.monotonic() - call.startedAt)),
  is_stream: ending.stream ? 1 : 0,
  source_ip: call.ip,
  metadata: `${pricedOf(priced)},${JSON.stringify(metadataOf(call, priced, ending, usage)).slice(1)}`,
})

const pricedTexts = new WeakMap<Priced, string>()

/** How the metadata begins, without its closing brace: the same for every call at one price, so written once. */
const pricedOf = (priced: Priced): string => {
  const known = pricedTexts.get(priced)
  if (known !== undefined) return known
  const text = JSON.stringify({
    group_name: priced.group,
    price_type: priced.type,
    group_ratio: Number(priced.terms.group_ratio),
    input_ratio: Number(priced.terms.input),
    output_ratio: priced.type === 'times' ? 0 : Number(priced.terms.output),
  }).slice(0, -1)
  pricedTexts.set(priced, text)
  return text
}

/** The rest. What is `undefined` is not written: the keys are always the same ones, so that making them costs little. */
const metadataOf = (call: LoggedCall, priced: Priced, ending: Ending, usage: Usage) => ({
  first_response: Math.max(0, Math.round(ending.firstByteMs)),
  ...namedOf(usage, priced.terms.ratios),
  tools: hasAny(usage.tools) ? usage.tools : undefined,
  finish: ending.finish,
  estimated: ending.estimated,
  requested_model: ending.requestedModel === ending.model ? undefined : ending.requestedModel,
  notes: ending.notes.length > 0 ? ending.notes : undefined,
  receipt: call.id,
})

const namedClasses = Object.entries(logKeys) as [TokenClass, string][]
const unnamed: Readonly<Record<string, number>> = {}

/**
 * The classes that have a name of their own in a log row, with their ratios. Many calls use none: then the two plain ones
 * are the whole sum, exactly, since all of them are counts.
 */
const namedOf = (usage: Usage, ratios: Priced['terms']['ratios']) => {
  if (usage.input + usage.output === inputTokens(usage) + outputTokens(usage)) return unnamed
  const named: Record<string, number> = {}
  for (const [each, key] of namedClasses) {
    if (usage[each] === 0) continue
    named[key] = usage[each]
    named[`${key}_ratio`] = Number(ratios[each])
  }
  return named
}

const hasAny = (tools: Usage['tools']): boolean => {
  for (const _ in tools) return true
  return false
}

/** In the order of `tokenClasses`, as readers of receipts know it; what is `undefined` is not written. */
const usedOnly = (usage: Usage) => ({
  input: unlessZero(usage.input),
  cacheRead: unlessZero(usage.cacheRead),
  cacheWrite5m: unlessZero(usage.cacheWrite5m),
  cacheWrite1h: unlessZero(usage.cacheWrite1h),
  audioInput: unlessZero(usage.audioInput),
  imageInput: unlessZero(usage.imageInput),
  output: unlessZero(usage.output),
  reasoning: unlessZero(usage.reasoning),
  audioOutput: unlessZero(usage.audioOutput),
  imageOutput: unlessZero(usage.imageOutput),
  tools: hasAny(usage.tools) ? usage.tools : undefined,
})

const unlessZero = (count: number): number | undefined => (count === 0 ? undefined : count)
