import type { ChatAnswer, Choice, Finish, Logprob, Part, ReportedUsage } from '../canon.ts'
import { isEmpty } from '../decode-values.ts'
import type { Encoded, EncodeOptions } from '../dialect.ts'
import type { Json } from '../json/json.ts'
import { finishReasonOf, finishWords } from '../reasons/finish-reasons.ts'
import { noUsage } from '../usage.ts'
import { type WarningCollector, warningCollector } from '../warnings.ts'
import { citationsOf, groundingOf } from './citations.ts'
import {
  asUnknownFields,
  type CallIds,
  callIds,
  decodePart,
  dialectId,
  encodeCall,
  encodeMedia,
  encodeThoughtSignature,
  isFilledPart,
  isObject,
  objectOf,
  ownFields,
} from './parts.ts'
import { decodeTier, encodeTier } from './service-tier.ts'
import { audioMimeOf } from './speech.ts'
import { decodeUsage, encodeUsage, soldSearches } from './usage.ts'

const unspecified = new Set(['', 'FINISH_REASON_UNSPECIFIED', 'BLOCK_REASON_UNSPECIFIED'])

export const decodeFinish = (candidate: Json, hasCall: boolean): Finish | undefined => {
  const { finishReason, finishMessage } = candidate
  if (typeof finishReason !== 'string' || unspecified.has(finishReason)) return undefined
  const reason = finishReasonOf(dialectId, finishReason) ?? 'other'
  const isRestored = finishWords[reason][dialectId] === finishReason && reason !== 'other'
  return {
    reason: reason === 'stop' && hasCall ? 'tools' : reason,
    ...asUnknownFields({
      ...(isRestored ? {} : { finishReason }),
      ...(isEmpty(finishMessage) ? {} : { finishMessage }),
    }),
  }
}

/** This dialect has no refusal part, so the finish reason expresses it. */
export const encodeFinish = (
  finish: Finish,
  isRefusal: boolean,
  warnings: WarningCollector,
): Json => {
  warnings.warnForeignFields(finish.unknownFields)
  if (finish.sequence !== undefined) warnings.warnDropped('stop_sequence')
  const reason = isRefusal && finish.reason === 'stop' ? 'refusal' : finish.reason
  return { finishReason: finishWords[reason][dialectId], ...ownFields(finish.unknownFields) }
}

export const isRefusal = (part: Part): boolean => part.type === 'text' && part.refusal === true

/** A blocked prompt has no candidates; canon treats it as a filtered answer. */
export const blockedFinish = (body: Json): Finish | undefined =>
  !isEmpty(body.promptFeedback?.blockReason) && !unspecified.has(body.promptFeedback.blockReason)
    ? { reason: 'filter' }
    : undefined

export const decodeHead = (body: Json) => ({
  id: typeof body.responseId === 'string' ? body.responseId : '',
  model: typeof body.modelVersion === 'string' ? body.modelVersion : '',
  ...tierIn(decodeTier(body.usageMetadata?.serviceTier)),
})

/** The usage object carries the tier. https://ai.google.dev/api/generate-content#UsageMetadata */
const tierIn = (tier: string | undefined): { tier?: string } => (tier === undefined ? {} : { tier })

export const unknownAnswerFields = (body: Json): Json => {
  const { responseId, modelVersion, candidates, usageMetadata, ...rest } = body
  return rest
}

export const decodeReported = (body: Json): ReportedUsage | undefined => {
  const usageFields = body.usageMetadata
  // Frames before the last may contain only `trafficType`.
  if (!isObject(usageFields) || !Object.keys(usageFields).some(key => key.endsWith('TokenCount')))
    return undefined
  const usage = decodeUsage(usageFields)
  if (usage !== 'broken') {
    const searches = searchesIn(body)
    if (searches > 0) usage.tools.web_search = searches
  }
  return { usage, ...asUnknownFields(usageFields) }
}

const searchesIn = ({ candidates, modelVersion }: Json): number => {
  if (!Array.isArray(candidates)) return 0
  const queries = candidates.map(each => each?.groundingMetadata?.webSearchQueries)
  const most = Math.max(0, ...queries.map(each => (Array.isArray(each) ? each.length : 0)))
  return soldSearches(String(modelVersion), most)
}

/** Returns the fields of a candidate other than content and finish reason. */
export const unknownCandidateFields = (candidate: Json): Json => {
  const { content, finishReason, finishMessage, index, ...rest } = candidate
  const { role, parts, ...contentRest } = content ?? {}
  return Object.keys(contentRest).length > 0 ? { ...rest, content: contentRest } : rest
}

export const logprobsOf = (result: Json): Logprob[] => {
  const chosen = Array.isArray(result?.chosenCandidates) ? result.chosenCandidates : []
  return chosen.map((each: Json, at: number) => {
    const top = result.topCandidates?.[at]?.candidates
    return {
      token: each?.token ?? '',
      logprob: each?.logProbability ?? 0,
      ...(Array.isArray(top)
        ? { top: top.map(one => ({ token: one?.token ?? '', logprob: one?.logProbability ?? 0 })) }
        : {}),
    }
  })
}

export const encodeLogprobs = (logprobs: readonly Logprob[]): Json => ({
  chosenCandidates: logprobs.map(encodeLogprob),
  topCandidates: logprobs.map(({ top }) => ({ candidates: (top ?? []).map(encodeLogprob) })),
})

/** Tells whether canon's logprobs lose nothing of the original. */
export const isLosslessLogprobs = (result: Json, logprobs: readonly Logprob[]): boolean =>
  JSON.stringify(result) === JSON.stringify(encodeLogprobs(logprobs))

const encodeLogprob = ({ token, logprob }: { token: string; logprob: number }): Json => ({
  token,
  logProbability: logprob,
})

export const decodeAnswer = (body: unknown): ChatAnswer => {
  const answer: Json = isObject(body) ? body : {}
  const facts = decodeHead(answer)
  const candidates: Json[] = Array.isArray(answer.candidates) ? answer.candidates : []
  const refused = candidates.length === 0 ? blockedFinish(answer) : undefined
  const reportedUsage = decodeReported(answer)
  const choices = candidates.map((each, at) =>
    decodeCandidate(isObject(each) ? each : {}, answerCallIds(facts.id, at)),
  )
  return {
    ...facts,
    choices: refused ? [{ parts: [], finish: refused }] : choices,
    ...(reportedUsage ? { reportedUsage } : {}),
    ...asUnknownFields(unknownAnswerFields(answer)),
  }
}

/** Prefix of the ids that this gateway assigns to calls without one. */
export const callIdPrefix = (id: string, choice: number): string => `call_${id}_${choice}_`

/** Ids that are made from no id would be those of every answer: the caller of the decoder makes better ones. */
export const answerCallIds = (id: string, choice: number): CallIds =>
  callIds(id === '' ? undefined : callIdPrefix(id, choice))

const decodeCandidate = (candidate: Json, ids: CallIds): Choice => {
  const list: Json[] = Array.isArray(candidate.content?.parts) ? candidate.content.parts : []
  const parts: Part[] = list.filter(isFilledPart).map(part => decodePart(part, ids))
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
  const rest = unknownCandidateFields(candidate)
  if (text && isLosslessLogprobs(candidate.logprobsResult, logprobs)) delete rest.logprobsResult
  return { parts, ...(finish ? { finish } : {}), ...asUnknownFields(rest) }
}

/** Encodes one part; returns undefined, with a warning, for one that this dialect cannot express. */
export const encodePart = (
  part: Part,
  ids: string,
  warnings: WarningCollector,
): Json | undefined => {
  warnings.warnForeignFields(part.unknownFields)
  switch (part.type) {
    case 'text':
      return { text: part.text, ...signatureOf(part), ...ownFields(part.unknownFields) }
    case 'thinking':
      return {
        text: part.text,
        thought: true,
        ...signatureOf(part),
        ...ownFields(part.unknownFields),
      }
    case 'tool-call': {
      if (!part.custom && part.input !== '' && !objectOf(part.input)) return undefined
      const id = part.id.startsWith(ids) ? undefined : part.id
      return { ...encodeCall(part, id), ...signatureOf(part) }
    }
    case 'media':
      return encodeMedia({ ...part, mime: audioMimeOf(part.mime) }, warnings)
    case 'opaque':
      if (part.dialect === dialectId) return part.value as Json
  }
  warnings.warnDropped(
    part.type === 'opaque' ? String((part.value as Json)?.type ?? 'part') : part.type,
  )
  return undefined
}

const signatureOf = ({
  signature,
}: {
  signature?: Parameters<typeof encodeThoughtSignature>[0]
}): Json => (signature ? { thoughtSignature: encodeThoughtSignature(signature) } : {})

export const encodeReported = (
  reportedUsage: ReportedUsage | undefined,
  tier: string | undefined,
  warnings: WarningCollector,
): Json => {
  const usageFields = ownFields(reportedUsage?.unknownFields)
  if (Object.keys(usageFields).length > 0) return usageFields
  const usage = reportedUsage?.usage
  const serviceTier = encodeTier(tier, warnings)
  if (usage === undefined) return serviceTier && { serviceTier }
  const figures = encodeUsage(usage === 'broken' ? noUsage() : usage)
  return serviceTier ? { ...figures, serviceTier } : figures
}

export const encodeResponse = (answer: ChatAnswer, _options?: EncodeOptions): Encoded => {
  const warnings = warningCollector(dialectId)
  warnings.warnForeignFields(answer.unknownFields)
  const usageMetadata = encodeReported(answer.reportedUsage, answer.tier, warnings)
  const rest = ownFields(answer.unknownFields)
  const isRefused = rest.promptFeedback?.blockReason !== undefined
  const candidates = answer.choices.map((choice, at) =>
    encodeChoice(choice, at, answer.id, warnings),
  )
  return {
    body: {
      ...(isRefused ? {} : { candidates }),
      ...(usageMetadata === undefined ? {} : { usageMetadata }),
      modelVersion: answer.model,
      responseId: answer.id,
      ...rest,
    },
    warnings: warnings.list,
  }
}

const encodeChoice = (
  choice: Choice,
  index: number,
  id: string,
  warnings: WarningCollector,
): Json => {
  warnings.warnForeignFields(choice.unknownFields)
  const head = callIdPrefix(id, index)
  const parts = choice.parts.flatMap(part => encodePart(part, head, warnings) ?? [])
  const broken = choice.parts.find(part => part.type === 'tool-call' && hasInvalidInput(part))
  const { content, ...rest } = ownFields(choice.unknownFields)
  return {
    content: { parts, role: 'model', ...content },
    ...(choice.finish ? encodeFinish(choice.finish, choice.parts.some(isRefusal), warnings) : {}),
    ...(broken?.type === 'tool-call' ? malformedCallFinish(broken.input, choice.finish) : {}),
    index,
    ...decorationOf(choice.parts, warnings),
    ...rest,
  }
}

export const hasInvalidInput = (part: Part): boolean =>
  part.type === 'tool-call' && !part.custom && part.input !== '' && !objectOf(part.input)

/** Finish fields for a call whose arguments are not an object; a length limit keeps its own reason. */
export const malformedCallFinish = (input: string, finish: Finish | undefined): Json => ({
  ...(finish?.reason === 'length' ? {} : { finishReason: 'MALFORMED_FUNCTION_CALL' }),
  finishMessage: `Malformed function call: ${input}`,
})

/** Encodes citations and logprobs, which are fields of the candidate, not of its parts. */
const decorationOf = (parts: readonly Part[], warnings: WarningCollector): Json => {
  const texts = parts.flatMap(part => (part.type === 'text' ? [part] : []))
  const logprobs = texts.flatMap(part => part.logprobs ?? [])
  const cited = texts.find(part => (part.citations ?? []).length > 0)
  const foreign = cited?.citations?.filter(each => each.raw?.dialect !== dialectId) ?? []
  const grounding = groundingOf(foreign, cited?.text ?? '', warnings)
  return {
    ...(grounding ? { groundingMetadata: grounding } : {}),
    ...(logprobs.length > 0 ? { logprobsResult: encodeLogprobs(logprobs) } : {}),
  }
}
