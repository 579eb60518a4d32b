import type { ChatAnswer, Finish, Part, ReportedUsage } from '../canon.ts'
import { hasFields } from '../decode-values.ts'
import type { Encoded } from '../dialect.ts'
import type { Json } from '../json/json.ts'
import { finishReasonOf, finishWords } from '../reasons/finish-reasons.ts'
import { ownFields, unknownFieldsOf } from '../unknown-fields.ts'
import { noUsage } from '../usage.ts'
import { warningCollector } from '../warnings.ts'
import { decodeBlocks, encodeBlocks } from './content-blocks.ts'
import { decodeUsage, encodeUsage } from './usage.ts'

const dialectId = 'anthropic'

/** Some vendors send `end_turn` after a tool call. A client that waits for `tool_use` would not run the call. */
export const finishOf = (stopReason: string, sequence: unknown, hasToolCall: boolean): Finish => {
  const reason = finishReasonOf(dialectId, stopReason) ?? 'other'
  const isRestored = finishWords[reason][dialectId] === stopReason && reason !== 'other'
  return {
    reason: hasToolCall && reason === 'stop' ? 'tools' : reason,
    ...(typeof sequence === 'string' && sequence !== '' ? { sequence } : {}),
    ...(isRestored
      ? {}
      : { unknownFields: { dialect: dialectId, fields: { stop_reason: stopReason } } }),
  }
}

/** `isRefusal` marks an answer with a refusal part, which only the stop reason can express here. */
export const stopReasonOf = ({ reason, unknownFields }: Finish, isRefusal: boolean): string => {
  const stopReason = ownFields(unknownFields, dialectId)?.stop_reason
  if (typeof stopReason === 'string') return stopReason
  return isRefusal && reason === 'stop' ? 'refusal' : finishWords[reason][dialectId]
}

export const answerKeys = new Set([
  ...['id', 'type', 'role', 'model', 'content', 'stop_reason', 'stop_sequence', 'usage'],
])

// https://platform.claude.com/docs/en/api/messages/create
export const decodeAnswer = (input: unknown): ChatAnswer => {
  const body: Json = input ?? {}
  const { id, model, content, stop_reason, stop_sequence, usage } = body
  const choice: ChatAnswer['choices'][number] = { parts: decodeBlocks(content, 'answer') }
  if (typeof stop_reason === 'string' && stop_reason !== '')
    choice.finish = finishOf(stop_reason, stop_sequence, choice.parts.some(isToolCall))
  const answer: ChatAnswer = { id: id ?? '', model: model ?? '', choices: [choice] }
  const tier = tierOf(usage)
  if (tier !== undefined) answer.tier = tier
  if (hasFields(usage)) answer.reportedUsage = reportedOf(usage)
  const unknownFields = unknownFieldsOf(body, answerKeys, dialectId)
  if (unknownFields) answer.unknownFields = unknownFields
  return answer
}

export const reportedOf = (usage: Json): ReportedUsage => ({
  usage: decodeUsage(usage),
  unknownFields: { dialect: dialectId, fields: usage },
})

/** The usage object carries the tier; canon calls `standard` `default`. */
export const tierOf = (usage: Json): string | undefined => {
  const tier = usage?.service_tier
  return tier === 'standard'
    ? 'default'
    : typeof tier === 'string' && tier !== ''
      ? tier
      : undefined
}

const tiers: Readonly<Record<string, string>> = {
  default: 'standard',
  priority: 'priority',
  batch: 'batch',
}

export const encodeReported = (
  reportedUsage: ReportedUsage | undefined,
  tier: string | undefined,
): Json => {
  const fields = ownFields(reportedUsage?.unknownFields, dialectId)
  if (fields) return fields
  const usage = typeof reportedUsage?.usage === 'object' ? reportedUsage.usage : noUsage()
  const serviceTier = tier === undefined ? undefined : tiers[tier]
  const encoded: Json = encodeUsage(usage)
  if (serviceTier !== undefined) encoded.service_tier = serviceTier
  return encoded
}

const isToolCall = (part: Part): boolean => part.type === 'tool-call'

const isRefusal = (part: Part): boolean => part.type === 'text' && part.refusal === true

export const encodeResponse = (answer: ChatAnswer): Encoded => {
  const warnings = warningCollector(dialectId)
  const { id, model, choices, reportedUsage, tier, unknownFields } = answer
  const [choice] = choices
  if (choices.length > 1) warnings.warnDropped('n')
  warnings.warnForeignFields(unknownFields)
  warnings.warnForeignFields(choice?.unknownFields)
  const parts = choice?.parts ?? []
  if (parts.some(part => part.type === 'text' && part.logprobs)) warnings.warnDropped('logprobs')
  const { finish } = choice ?? {}
  const body: Json = {
    id,
    type: 'message',
    role: 'assistant',
    model,
    content: encodeBlocks(parts, 'answer', warnings),
    stop_reason: finish ? stopReasonOf(finish, parts.some(isRefusal)) : 'end_turn',
    stop_sequence: finish?.sequence ?? null,
    usage: encodeReported(reportedUsage, tier),
  }
  return { body: Object.assign(body, ownFields(unknownFields, dialectId)), warnings: warnings.list }
}
