import type { ChatReply, Choice, Logprob, Reported } from '../canon.ts'
import { choiceIndex } from '../choices.ts'
import type { Manner, Written } from '../dialect.ts'
import { ownFields, restOf } from '../extra.ts'
import type { Json } from '../json.ts'
import { type Noting, noting } from '../notes.ts'
import { customNamesOf, unwrapped } from './message/calls.ts'
import { encodeFinish, finishOf, hasCalls } from './message/finish.ts'
import { decodeParts, encodeAssistant, messageKeys } from './message/message.ts'
import { decodeUsage, encodeUsage } from './usage.ts'

const own = 'openai-chat'

export const replyKeys = new Set([
  ...['id', 'object', 'created', 'model', 'choices', 'usage', 'service_tier'],
  // Noise that hides the length of a chunk.
  'obfuscation',
])
export const choiceKeys = new Set([
  ...['index', 'message', 'delta', 'finish_reason', 'logprobs', 'usage'],
])

// https://platform.openai.com/docs/api-reference/chat/object
export const decodeReply = (input: unknown): ChatReply => {
  const body: Json = input ?? {}
  const reply: ChatReply = { id: body.id ?? '', model: body.model ?? '', choices: [] }
  if (typeof body.created === 'number') reply.createdAt = body.created
  if (typeof body.service_tier === 'string') reply.tier = body.service_tier
  for (const choice of Array.isArray(body.choices) ? body.choices : [])
    reply.choices[choiceIndex(choice?.index, reply.choices.length)] = decodeChoice(choice)
  // A vendor that leaves one out leaves no hole.
  for (let at = 0; at < reply.choices.length; at += 1) reply.choices[at] ??= { parts: [] }
  const usage = body.usage ?? body.choices?.[0]?.usage
  if (usage) reply.reported = reportedOf(usage)
  const extra = restOf(body, replyKeys, own)
  if (extra) reply.extra = extra
  return reply
}

export const reportedOf = (usage: Json): Reported => ({
  usage: decodeUsage(usage),
  extra: { dialect: own, fields: usage },
})

const decodeChoice = (choice: Json): Choice => {
  const message = choice?.message ?? {}
  const parts = decodeParts(message)
  const made: Choice = { parts }
  const { content, refusal } = choice?.logprobs ?? {}
  for (const part of parts) {
    if (part.type !== 'text') continue
    const said = part.refusal ? refusal : content
    if (Array.isArray(said) && said.length > 0) part.logprobs = said.map(decodeLogprob)
  }
  const word = choice?.finish_reason
  if (typeof word === 'string' && word !== '') made.finish = finishOf(word, hasCalls(parts))
  const extra = restOf(choice, choiceKeys, own)
  const said = restOf(message, messageKeys, own)
  // What a vendor adds to the message stands beside what it adds to the choice.
  if (extra || said)
    made.extra = {
      dialect: own,
      fields: { ...extra?.fields, ...(said ? { message: said.fields } : {}) },
    }
  return made
}

export const decodeLogprob = (said: Json): Logprob => {
  const { token, logprob, bytes, top_logprobs } = said ?? {}
  const made: Logprob = { token, logprob }
  if (bytes !== undefined) made.bytes = bytes
  if (Array.isArray(top_logprobs)) made.top = top_logprobs
  return made
}

export const encodeLogprob = ({ token, logprob, bytes, top }: Logprob): Json => ({
  token,
  logprob,
  bytes: bytes ?? null,
  top_logprobs: (top ?? []).map(each => ({ ...each, bytes: each.bytes ?? null })),
})

export const encodeReply = (reply: ChatReply, manner: Manner = {}): Written => {
  const noted = noting(own)
  const { id, model, createdAt, tier, choices, reported, extra } = reply
  noted.dropForeign(extra)
  const names = customNamesOf(manner)
  const body: Json = {
    id,
    object: 'chat.completion',
    created: createdAt ?? manner.createdAt ?? 0,
    model,
    choices: choices.map((choice, index) => encodeChoice(choice, index, names, noted)),
  }
  const usage = encodeReported(reported)
  if (usage) body.usage = usage
  if (tier !== undefined) body.service_tier = tier
  return { body: Object.assign(body, ownFields(extra, own)), notes: noted.notes }
}

export const encodeReported = (reported: Reported | undefined): Json => {
  const fields = ownFields(reported?.extra, own)
  if (fields) return fields
  return typeof reported?.usage === 'object' ? encodeUsage(reported.usage) : undefined
}

type Names = ReadonlySet<string>

const encodeChoice = (choice: Choice, index: number, names: Names, noted: Noting): Json => {
  const { finish, extra } = choice
  noted.dropForeign(extra)
  const parts =
    names.size === 0
      ? choice.parts
      : choice.parts.map(part => (part.type === 'tool-call' ? unwrapped(part, names) : part))
  const { message: more, ...fields } = ownFields(extra, own) ?? {}
  const message = Object.assign(encodeAssistant(parts, noted), more)
  // Clients read it unasked.
  message.refusal ??= null
  const logprobs = encodeLogprobs(parts)
  return {
    index,
    message,
    logprobs,
    finish_reason: finish ? encodeFinish(finish, noted) : 'stop',
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
