import { logTypes } from '@hub/contract'
import type { Usage } from '@hub/dialects'
import type { App } from '../../core/app.ts'
import type { Call } from '../../core/call.ts'
import type { LogsTable } from '../../db/tables/trade.ts'
import type { Priced } from '../book.ts'
import type { Ending } from '../held.ts'
import { logKeys } from '../prices/terms.ts'
import { inputTokens, outputTokens, type TokenClass, tokenClasses } from '../usage.ts'

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
  metadata: JSON.stringify(metadataOf(call, priced, ending, usage)),
})

const metadataOf = (call: LoggedCall, priced: Priced, ending: Ending, usage: Usage) => {
  const { terms } = priced
  const told: Record<string, unknown> = {
    group_name: priced.group,
    price_type: priced.type,
    group_ratio: Number(terms.group_ratio),
    input_ratio: Number(terms.input),
    output_ratio: priced.type === 'times' ? 0 : Number(terms.output),
    first_response: Math.max(0, Math.round(ending.firstByteMs)),
  }
  for (const [each, key] of namedClasses) {
    if (usage[each] === 0) continue
    told[key] = usage[each]
    told[`${key}_ratio`] = Number(terms.ratios[each])
  }
  if (hasAny(usage.tools)) told.tools = usage.tools
  told.finish = ending.finish
  told.estimated = ending.estimated
  if (ending.requestedModel !== ending.model) told.requested_model = ending.requestedModel
  if (ending.notes.length > 0) told.notes = ending.notes
  told.receipt = call.id
  return told
}

const namedClasses = Object.entries(logKeys) as [TokenClass, string][]

const hasAny = (tools: Usage['tools']): boolean => {
  for (const _ in tools) return true
  return false
}

const usedOnly = (usage: Usage): Partial<Usage> => {
  const used: Partial<Usage> = {}
  for (const each of tokenClasses) if (usage[each] !== 0) used[each] = usage[each]
  if (hasAny(usage.tools)) used.tools = usage.tools
  return used
}
