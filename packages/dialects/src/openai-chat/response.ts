import type { ChatAnswer, Choice, Logprob, ReportedUsage } from '../canon.ts'
import { choiceIndex, filledIn, hasFields, isEmpty, listOf } from '../decode-values.ts'
import type { Encoded, EncodeOptions } from '../dialect.ts'
import type { Json } from '../json/json.ts'
import { filledUnknownFields, ownFields } from '../unknown-fields.ts'
import { type WarningCollector, warningCollector } from '../warnings.ts'
import { encodeFinish, finishOf, hasToolCalls } from './finish.ts'
import { decodeParts, encodeAssistant, messageKeys } from './request/messages.ts'
import { customNamesOf, unwrapCustomCall } from './tool-calls.ts'
import { decodeUsage, encodeUsage, withTier } from './usage.ts'

const dialectId = 'openai-chat'

export const answerKeys = new Set([
  ...['id', 'object', 'created', 'model', 'choices', 'usage', 'service_tier'],
  // Random text that hides the length of a chunk.
  'obfuscation',
])
export const choiceKeys = new Set([
  ...['index', 'message', 'delta', 'finish_reason', 'logprobs', 'usage'],
])

// https://platform.openai.com/docs/api-reference/chat/object
export const decodeAnswer = (input: unknown): ChatAnswer => {
  const body: Json = input ?? {}
  const answer: ChatAnswer = { id: body.id ?? '', model: body.model ?? '', choices: [] }
  if (typeof body.created === 'number' && body.created > 0) answer.createdAt = body.created
  if (typeof body.service_tier === 'string' && body.service_tier !== '')
    answer.tier = body.service_tier
  for (const choice of Array.isArray(body.choices) ? body.choices : [])
    answer.choices[choiceIndex(choice?.index, answer.choices.length)] = decodeChoice(choice)
  // Fills the gap of a choice that the vendor left out.
  for (let at = 0; at < answer.choices.length; at += 1) answer.choices[at] ??= { parts: [] }
  const usage = usageIn(body)
  if (usage) answer.reportedUsage = usageReportOf(usage, body.service_tier)
  const unknownFields = filledUnknownFields(body, answerKeys, dialectId)
  if (unknownFields) answer.unknownFields = unknownFields
  return answer
}

/** Moonshot has the usage in a choice, and Groq in a field of its own. One of zeros counts where there is no other. */
export const usageIn = ({ usage, x_groq, choices }: Json): Json => {
  const all = [usage, x_groq?.usage, ...listOf(choices).map(each => each?.usage)]
  return all.find(each => !isEmpty(each)) ?? all.find(hasZeros)
}

const hasZeros = (value: Json): boolean =>
  hasFields(value) && Object.values(value).some(each => each === 0)

export const usageReportOf = (usage: Json, tier: unknown): ReportedUsage => ({
  usage: withTier(decodeUsage(usage), tier),
  unknownFields: { dialect: dialectId, fields: usage },
})

const decodeChoice = (choice: Json): Choice => {
  const message = choice?.message ?? {}
  const parts = decodeParts(message)
  const made: Choice = { parts }
  const { content, refusal } = choice?.logprobs ?? {}
  for (const part of parts) {
    if (part.type !== 'text') continue
    const list = part.refusal ? refusal : content
    if (Array.isArray(list) && list.length > 0) part.logprobs = list.map(decodeLogprob)
  }
  const word = choice?.finish_reason
  if (typeof word === 'string' && word !== '') made.finish = finishOf(word, hasToolCalls(parts))
  const unknownFields = filledUnknownFields(choice, choiceKeys, dialectId)
  const messageFields = messageFieldsOf(message, parts)
  // Unknown fields of the message are stored next to those of the choice.
  if (unknownFields || messageFields)
    made.unknownFields = {
      dialect: dialectId,
      fields: {
        ...unknownFields?.fields,
        ...(messageFields ? { message: messageFields } : {}),
      },
    }
  return made
}

/** Without a text, its sources are noted as a field that canon lacks. */
const messageFieldsOf = (message: Json, parts: Choice['parts']): Json => {
  const fields = filledUnknownFields(message, messageKeys, dialectId)?.fields
  const annotations = filledIn(message.annotations)
  const isCited = annotations.length === 0 || parts.some(part => part.type === 'text')
  return isCited ? fields : { ...fields, annotations }
}

export const decodeLogprob = (input: Json): Logprob => {
  const { token, logprob, bytes, top_logprobs } = input ?? {}
  const made: Logprob = { token, logprob }
  if (bytes !== undefined) made.bytes = bytes
  if (Array.isArray(top_logprobs)) made.top = top_logprobs.filter(Boolean)
  return made
}

export const encodeLogprob = ({ token, logprob, bytes, top }: Logprob): Json => ({
  token,
  logprob,
  bytes: bytes ?? null,
  top_logprobs: (top ?? []).map(each => ({ ...each, bytes: each.bytes ?? null })),
})

export const encodeResponse = (answer: ChatAnswer, options: EncodeOptions = {}): Encoded => {
  const warnings = warningCollector(dialectId)
  const { id, model, createdAt, tier, choices, reportedUsage, unknownFields } = answer
  warnings.warnForeignFields(unknownFields)
  const names = customNamesOf(options)
  const body: Json = {
    id,
    object: 'chat.completion',
    created: createdAt ?? options.createdAt ?? 0,
    model,
    choices: choices.map((choice, index) => encodeChoice(choice, index, names, warnings)),
  }
  const usage = encodeReportedUsage(reportedUsage)
  if (usage) body.usage = usage
  if (tier !== undefined) body.service_tier = tier
  return { body: Object.assign(body, ownFields(unknownFields, dialectId)), warnings: warnings.list }
}

export const encodeReportedUsage = (reportedUsage: ReportedUsage | undefined): Json => {
  const fields = ownFields(reportedUsage?.unknownFields, dialectId)
  if (fields) return fields
  return typeof reportedUsage?.usage === 'object' ? encodeUsage(reportedUsage.usage) : undefined
}

type Names = ReadonlySet<string>

const encodeChoice = (
  choice: Choice,
  index: number,
  names: Names,
  warnings: WarningCollector,
): Json => {
  const { finish, unknownFields } = choice
  warnings.warnForeignFields(unknownFields)
  const parts =
    names.size === 0
      ? choice.parts
      : choice.parts.map(part => (part.type === 'tool-call' ? unwrapCustomCall(part, names) : part))
  const { message: more, ...fields } = ownFields(unknownFields, dialectId) ?? {}
  const message = Object.assign(encodeAssistant(parts, warnings), more)
  // Clients read the field without checking for it.
  message.refusal ??= null
  const logprobs = encodeLogprobs(parts)
  return {
    index,
    message,
    logprobs,
    finish_reason: encodeFinish(
      finish ?? { reason: hasToolCalls(parts) ? 'tools' : 'stop' },
      warnings,
    ),
    ...fields,
  }
}

const encodeLogprobs = (parts: Choice['parts']): Json => {
  let logprobs: Json = null
  for (const part of parts) {
    if (part.type !== 'text' || !part.logprobs) continue
    logprobs ??= { content: null, refusal: null }
    const place = part.refusal ? 'refusal' : 'content'
    logprobs[place] = [...(logprobs[place] ?? []), ...part.logprobs.map(encodeLogprob)]
  }
  return logprobs
}
