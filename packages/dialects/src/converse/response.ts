import type { ChatAnswer, Choice, Finish, ReportedUsage } from '../canon.ts'
import { listOf } from '../decode-values.ts'
import type { AnswerSummary } from '../dialect.ts'
import { emptinessOfAnswer } from '../empty-answers/canon.ts'
import type { Json } from '../json/json.ts'
import { weightedCharsInPart } from '../meter.ts'
import { finishReasonOf } from '../reasons/finish-reasons.ts'
import { servedOf } from '../usage.ts'
import { decodeBlock } from './content-blocks.ts'
import { decodeUsage } from './usage.ts'

const dialectId = 'converse'

/** A response contains neither an id nor the model. */
export const decodeAnswer = (input: unknown): ChatAnswer => {
  const body: Json = input ?? {}
  const { output, stopReason, usage, serviceTier } = body
  const choice: Choice = { parts: listOf(output?.message?.content).map(decodeBlock) }
  if (typeof stopReason === 'string' && stopReason !== '') choice.finish = finishOf(stopReason)
  const answer: ChatAnswer = { id: '', model: '', choices: [choice] }
  if (typeof serviceTier?.type === 'string') answer.tier = serviceTier.type
  if (usage) answer.reportedUsage = reportedOf(usage, body)
  const fields = fieldsOf(body)
  if (fields) answer.unknownFields = { dialect: dialectId, fields }
  return answer
}

/** Tier and latency stand next to the usage, in an answer and in the last event of a stream. */
export const reportedOf = (
  reported: unknown,
  { serviceTier, performanceConfig }: Json,
): ReportedUsage => {
  const usage = decodeUsage(reported)
  const served = servedOf({ tier: serviceTier?.type, latency: performanceConfig?.latency })
  return { usage: usage === 'broken' || !served ? usage : { ...usage, served } }
}

/** Fields without a place in canon: the guardrail trace and fields of the model itself. */
export const fieldsOf = (body: Json): Record<string, unknown> | undefined => {
  const { trace, additionalModelResponseFields } = body ?? {}
  if (!trace && !additionalModelResponseFields) return undefined
  return {
    ...(trace ? { trace } : {}),
    ...(additionalModelResponseFields ? { additionalModelResponseFields } : {}),
  }
}

export const finishOf = (stopReason: unknown): Finish => {
  const reason = typeof stopReason === 'string' ? finishReasonOf(dialectId, stopReason) : undefined
  if (reason) return { reason }
  return {
    reason: 'other',
    unknownFields: { dialect: dialectId, fields: { stopReason: stopReason ?? null } },
  }
}

/** Checks the body too, because proxies may send an error or an empty body with status 200. */
export const readAnswer = (bytes: Buffer): AnswerSummary => {
  const body = parse(bytes)
  if (typeof body !== 'object' || body === null) return { ok: false, failure: undefined }
  if (!Array.isArray((body as Json).output?.message?.content)) return { ok: false, failure: body }
  const answer = decodeAnswer(body)
  const { choices, reportedUsage } = answer
  const weightedChars = choices[0]!.parts.reduce((sum, part) => sum + weightedCharsInPart(part), 0)
  return {
    ok: true,
    usage: reportedUsage?.usage,
    meteredTokens: Math.ceil(weightedChars / 4),
    emptiness: emptinessOfAnswer(answer),
  }
}

const parse = (body: Buffer): unknown => {
  try {
    return JSON.parse(body.toString())
  } catch {
    return undefined
  }
}
