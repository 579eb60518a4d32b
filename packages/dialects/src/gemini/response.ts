import type { ChatReply, Choice, Finish, Logprob, Part, Reported } from '../canon.ts'
import type { Manner, Written } from '../dialect.ts'
import type { Json } from '../json.ts'
import { type Noting, noting } from '../notes.ts'
import { noUsage } from '../usage.ts'
import { citationsOf, groundingOf } from './citations.ts'
import {
  decodePart,
  encodeCall,
  encodeMedia,
  encodeProof,
  extraOf,
  type Ids,
  idsOf,
  isObject,
  objectOf,
  own,
  ownFields,
} from './parts.ts'
import { decodeTier, encodeTier } from './service-tier.ts'
import { soundMimeOf } from './speech.ts'
import { decodeUsage, encodeUsage } from './usage.ts'

const reasons: Readonly<Record<string, Finish['reason']>> = {
  STOP: 'stop',
  MAX_TOKENS: 'length',
  SAFETY: 'filter',
  RECITATION: 'filter',
  LANGUAGE: 'filter',
  BLOCKLIST: 'filter',
  PROHIBITED_CONTENT: 'filter',
  SPII: 'filter',
  IMAGE_SAFETY: 'filter',
  IMAGE_PROHIBITED_CONTENT: 'filter',
  IMAGE_RECITATION: 'filter',
  MALFORMED_FUNCTION_CALL: 'error',
  UNEXPECTED_TOOL_CALL: 'error',
  TOO_MANY_TOOL_CALLS: 'error',
  MALFORMED_RESPONSE: 'error',
}
/** What `encodeFinish` says by itself. */
const plain = new Set(['STOP', 'MAX_TOKENS', 'SAFETY'])

export const decodeFinish = (candidate: Json, hasCall: boolean): Finish | undefined => {
  const { finishReason, finishMessage } = candidate
  if (typeof finishReason !== 'string' || finishReason === 'FINISH_REASON_UNSPECIFIED')
    return undefined
  const reason = reasons[finishReason] ?? 'other'
  return {
    reason: reason === 'stop' && hasCall ? 'tools' : reason,
    ...extraOf({
      ...(plain.has(finishReason) ? {} : { finishReason }),
      ...(finishMessage === undefined ? {} : { finishMessage }),
    }),
  }
}

/** There is no part for the model's own "no": the reason says it. */
export const encodeFinish = (finish: Finish, isRefusal: boolean, notes: Noting): Json => {
  notes.dropForeign(finish.extra)
  if (finish.sequence !== undefined) notes.drop('stop_sequence')
  const reason = isRefusal && finish.reason === 'stop' ? 'refusal' : finish.reason
  return { finishReason: wordFor(reason), ...ownFields(finish.extra) }
}

export const isRefusal = (part: Part): boolean => part.type === 'text' && part.refusal === true

const wordFor = (reason: Finish['reason']): string => {
  if (reason === 'length' || reason === 'context-full') return 'MAX_TOKENS'
  if (reason === 'filter' || reason === 'refusal') return 'SAFETY'
  return reason === 'error' || reason === 'other' ? 'OTHER' : 'STOP'
}

/** A prompt that was refused has no candidate; it is an answer that was filtered. */
export const refusedOf = (body: Json): Finish | undefined =>
  isObject(body.promptFeedback) && body.promptFeedback.blockReason !== undefined
    ? { reason: 'filter' }
    : undefined

export const factsOf = (body: Json) => ({
  id: typeof body.responseId === 'string' ? body.responseId : '',
  model: typeof body.modelVersion === 'string' ? body.modelVersion : '',
  ...tierIn(decodeTier(body.usageMetadata?.serviceTier)),
})

/** It stands among the figures: https://ai.google.dev/api/generate-content#UsageMetadata */
const tierIn = (tier: string | undefined): { tier?: string } => (tier === undefined ? {} : { tier })

export const decodeRest = (body: Json): Json => {
  const { responseId, modelVersion, candidates, usageMetadata, ...rest } = body
  return rest
}

export const decodeReported = (body: Json): Reported | undefined => {
  const told = body.usageMetadata
  // Frames before the last may tell the kind of traffic only.
  if (!isObject(told) || !Object.keys(told).some(key => key.endsWith('TokenCount')))
    return undefined
  const usage = decodeUsage(told)
  if (usage !== 'broken') {
    const searches = searchesIn(body)
    if (searches > 0) usage.tools.web_search = searches
  }
  return { usage, ...extraOf(told) }
}

const searchesIn = ({ candidates }: Json): number => {
  if (!Array.isArray(candidates)) return 0
  const queries = candidates.map(each => each?.groundingMetadata?.webSearchQueries)
  return Math.max(0, ...queries.map(each => (Array.isArray(each) ? each.length : 0)))
}

/** What a candidate says besides its content and its end. */
export const candidateRest = (candidate: Json): Json => {
  const { content, finishReason, finishMessage, index, ...rest } = candidate
  const { role, parts, ...contentRest } = content ?? {}
  return Object.keys(contentRest).length > 0 ? { ...rest, content: contentRest } : rest
}

export const logprobsOf = (result: Json): Logprob[] => {
  const chosen = Array.isArray(result?.chosenCandidates) ? result.chosenCandidates : []
  return chosen.map((each: Json, at: number) => {
    const top = result.topCandidates?.[at]?.candidates
    return {
      token: each.token ?? '',
      logprob: each.logProbability ?? 0,
      ...(Array.isArray(top)
        ? { top: top.map(one => ({ token: one.token ?? '', logprob: one.logProbability ?? 0 })) }
        : {}),
    }
  })
}

export const encodeLogprobs = (logprobs: readonly Logprob[]): Json => ({
  chosenCandidates: logprobs.map(encodeLogprob),
  topCandidates: logprobs.map(({ top }) => ({ candidates: (top ?? []).map(encodeLogprob) })),
})

/** Whether all that the dialect said of them is in them. */
export const sameLogprobs = (result: Json, logprobs: readonly Logprob[]): boolean =>
  JSON.stringify(result) === JSON.stringify(encodeLogprobs(logprobs))

const encodeLogprob = ({ token, logprob }: { token: string; logprob: number }): Json => ({
  token,
  logProbability: logprob,
})

export const decodeReply = (body: unknown): ChatReply => {
  const answer: Json = isObject(body) ? body : {}
  const facts = factsOf(answer)
  const candidates: Json[] = Array.isArray(answer.candidates) ? answer.candidates : []
  const refused = candidates.length === 0 ? refusedOf(answer) : undefined
  const reported = decodeReported(answer)
  const choices = candidates.map((each, at) =>
    decodeCandidate(isObject(each) ? each : {}, idsOf(headOf(facts.id, at))),
  )
  return {
    ...facts,
    choices: refused ? [{ parts: [], finish: refused }] : choices,
    ...(reported ? { reported } : {}),
    ...extraOf(decodeRest(answer)),
  }
}

/** Ids that calls have of us where they had none. */
export const headOf = (id: string, choice: number): string => `call_${id}_${choice}_`

const decodeCandidate = (candidate: Json, ids: Ids): Choice => {
  const list: Json[] = Array.isArray(candidate.content?.parts) ? candidate.content.parts : []
  const parts: Part[] = list.map(part => decodePart(part, ids))
  const finish = decodeFinish(
    candidate,
    parts.some(part => part.type === 'tool-call'),
  )
  const logprobs = logprobsOf(candidate.logprobsResult)
  const text = parts.findLast(part => part.type === 'text')
  if (text?.type === 'text') {
    const citations = citationsOf(candidate, text.text)
    if (citations.length > 0) text.citations = citations
    if (logprobs.length > 0) text.logprobs = logprobs
  }
  const rest = candidateRest(candidate)
  if (text && sameLogprobs(candidate.logprobsResult, logprobs)) delete rest.logprobsResult
  return { parts, ...(finish ? { finish } : {}), ...extraOf(rest) }
}

/** One part as it is told; undefined for what this dialect cannot tell. */
export const encodePart = (part: Part, ids: string, notes: Noting): Json | undefined => {
  notes.dropForeign(part.extra)
  switch (part.type) {
    case 'text':
      return { text: part.text, ...signatureOf(part), ...ownFields(part.extra) }
    case 'thinking':
      return { text: part.text, thought: true, ...signatureOf(part), ...ownFields(part.extra) }
    case 'tool-call': {
      if (!part.custom && part.input !== '' && !objectOf(part.input)) return undefined
      const id = part.id.startsWith(ids) ? undefined : part.id
      return { ...encodeCall(part, id), ...signatureOf(part) }
    }
    case 'media':
      return encodeMedia({ ...part, mime: soundMimeOf(part.mime) }, notes)
    case 'opaque':
      if (part.dialect === own) return part.value as Json
  }
  notes.drop(part.type === 'opaque' ? String((part.value as Json)?.type ?? 'part') : part.type)
  return undefined
}

const signatureOf = ({ proof }: { proof?: Parameters<typeof encodeProof>[0] }): Json =>
  proof ? { thoughtSignature: encodeProof(proof) } : {}

export const encodeReported = (
  reported: Reported | undefined,
  tier: string | undefined,
  notes: Noting,
): Json => {
  const told = ownFields(reported?.extra)
  if (Object.keys(told).length > 0) return told
  const usage = reported?.usage
  const serviceTier = encodeTier(tier, notes)
  if (usage === undefined) return serviceTier && { serviceTier }
  const figures = encodeUsage(usage === 'broken' ? noUsage() : usage)
  return serviceTier ? { ...figures, serviceTier } : figures
}

export const encodeReply = (reply: ChatReply, _manner?: Manner): Written => {
  const notes = noting(own)
  notes.dropForeign(reply.extra)
  const usageMetadata = encodeReported(reply.reported, reply.tier, notes)
  const rest = ownFields(reply.extra)
  const isRefused = rest.promptFeedback?.blockReason !== undefined
  const candidates = reply.choices.map((choice, at) => encodeChoice(choice, at, reply.id, notes))
  return {
    body: {
      ...(isRefused ? {} : { candidates }),
      ...(usageMetadata === undefined ? {} : { usageMetadata }),
      modelVersion: reply.model,
      responseId: reply.id,
      ...rest,
    },
    notes: notes.notes,
  }
}

const encodeChoice = (choice: Choice, index: number, id: string, notes: Noting): Json => {
  notes.dropForeign(choice.extra)
  const head = headOf(id, index)
  const parts = choice.parts.flatMap(part => encodePart(part, head, notes) ?? [])
  const broken = choice.parts.find(part => part.type === 'tool-call' && isBroken(part))
  const { content, ...rest } = ownFields(choice.extra)
  return {
    content: { parts, role: 'model', ...content },
    ...(choice.finish ? encodeFinish(choice.finish, choice.parts.some(isRefusal), notes) : {}),
    ...(broken?.type === 'tool-call' ? malformed(broken.input, choice.finish) : {}),
    index,
    ...decorationOf(choice.parts, notes),
    ...rest,
  }
}

export const isBroken = (part: Part): boolean =>
  part.type === 'tool-call' && !part.custom && part.input !== '' && !objectOf(part.input)

/** Arguments that are no object: this dialect has an end for that, unless the answer has another reason. */
export const malformed = (input: string, finish: Finish | undefined): Json => ({
  ...(finish?.reason === 'length' ? {} : { finishReason: 'MALFORMED_FUNCTION_CALL' }),
  finishMessage: `Malformed function call: ${input}`,
})

/** Citations and probabilities of the texts, which stand beside the content here. */
const decorationOf = (parts: readonly Part[], notes: Noting): Json => {
  const texts = parts.flatMap(part => (part.type === 'text' ? [part] : []))
  const logprobs = texts.flatMap(part => part.logprobs ?? [])
  const cited = texts.find(part => (part.citations ?? []).length > 0)
  const foreign = cited?.citations?.filter(each => each.raw?.dialect !== own) ?? []
  const grounding = groundingOf(foreign, cited?.text ?? '', notes)
  return {
    ...(grounding ? { groundingMetadata: grounding } : {}),
    ...(logprobs.length > 0 ? { logprobsResult: encodeLogprobs(logprobs) } : {}),
  }
}
