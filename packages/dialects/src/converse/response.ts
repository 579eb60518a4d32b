import type { ChatReply, Choice, Finish, FinishReason, Reported } from '../canon.ts'
import type { ReplyFacts } from '../dialect.ts'
import { listOf } from '../extra.ts'
import type { Json } from '../json.ts'
import { quartersOfPart } from '../meter.ts'
import { decodeBlock } from './content-blocks.ts'
import { decodeUsage } from './usage.ts'

const own = 'converse'

/** An answer names neither itself nor its model. */
export const decodeReply = (input: unknown): ChatReply => {
  const body: Json = input ?? {}
  const { output, stopReason, usage, serviceTier } = body
  const choice: Choice = { parts: listOf(output?.message?.content).map(decodeBlock) }
  if (typeof stopReason === 'string') choice.finish = finishOf(stopReason)
  const reply: ChatReply = { id: '', model: '', choices: [choice] }
  if (typeof serviceTier?.type === 'string') reply.tier = serviceTier.type
  if (usage) reply.reported = reportedOf(usage)
  const fields = fieldsOf(body)
  if (fields) reply.extra = { dialect: own, fields }
  return reply
}

export const reportedOf = (usage: unknown): Reported => ({ usage: decodeUsage(usage) })

/** What only this vendor tells: what its guardrails found, and fields of the model's own. */
export const fieldsOf = (told: Json): Record<string, unknown> | undefined => {
  const { trace, additionalModelResponseFields: more } = told ?? {}
  if (!trace && !more) return undefined
  return {
    ...(trace ? { trace } : {}),
    ...(more ? { additionalModelResponseFields: more } : {}),
  }
}

const reasons: Readonly<Record<string, FinishReason>> = {
  end_turn: 'stop',
  max_tokens: 'length',
  stop_sequence: 'stop-sequence',
  tool_use: 'tools',
  guardrail_intervened: 'filter',
  content_filtered: 'filter',
  malformed_model_output: 'error',
  malformed_tool_use: 'error',
  model_context_window_exceeded: 'context-full',
}

export const finishOf = (word: unknown): Finish => {
  if (typeof word === 'string' && Object.hasOwn(reasons, word)) return { reason: reasons[word]! }
  return { reason: 'other', extra: { dialect: own, fields: { stopReason: word ?? null } } }
}

/** A good status proves nothing: what is between us and the vendor may put a refusal, or nothing, under it. */
export const readReply = (body: Buffer): ReplyFacts => {
  const told = parse(body)
  if (typeof told !== 'object' || told === null) return { ok: false, failure: undefined }
  if (!Array.isArray((told as Json).output?.message?.content)) return { ok: false, failure: told }
  const { choices, reported } = decodeReply(told)
  const quarters = choices[0]!.parts.reduce((sum, part) => sum + quartersOfPart(part), 0)
  return { ok: true, usage: reported?.usage, metered: Math.ceil(quarters / 4) }
}

const parse = (body: Buffer): unknown => {
  try {
    return JSON.parse(body.toString())
  } catch {
    return undefined
  }
}
