import type { ChatEvent, Finish, Part } from '../../canon.ts'
import { choiceIndex } from '../../decode-values.ts'
import type { StreamDecoder } from '../../dialect.ts'
import type { Json } from '../../json/json.ts'
import { citationsOf } from '../citations.ts'
import {
  asUnknownFields,
  type CallIds,
  callIds,
  decodePart,
  dialectId,
  isObject,
} from '../parts.ts'
import {
  blockedFinish,
  callIdPrefix,
  decodeFinish,
  decodeHead,
  decodeReported,
  isLosslessLogprobs,
  logprobsOf,
  unknownCandidateFields,
  unknownReplyFields,
} from '../response.ts'
import { argumentAssembler } from './call-arguments.ts'

/** One answer of the stream. */
type DecodedChoice = {
  ids: CallIds
  count: number
  /** The part that opened last, and whether more words may belong to it. */
  open?: Part
  isGrowing: boolean
  /** A call whose arguments come in pieces. */
  pieces?: ReturnType<typeof argumentAssembler>
  text: string
  hasCall: boolean
  rest: Json
  finish?: Finish
}

/** This dialect has no closing frame, so finish and end are emitted when the bytes end. */
export const decodeFrames = (emit: (event: ChatEvent) => void): StreamDecoder => {
  const choices: DecodedChoice[] = []
  let facts = { id: '', model: '' }
  let rest: Json = {}
  let hasBegun = false
  let hasFailed = false
  let refused: Finish | undefined
  let malformedCount = 0

  const begin = (frame: Json): void => {
    if (hasBegun) return
    hasBegun = true
    facts = decodeHead(frame)
    rest = unknownReplyFields(frame)
    emit({ type: 'start', ...facts, ...asUnknownFields(rest) })
  }

  const choiceAt = (at: number): DecodedChoice => {
    while (choices.length <= at)
      choices.push({
        ids: callIds(callIdPrefix(facts.id, choices.length)),
        count: 0,
        isGrowing: false,
        text: '',
        hasCall: false,
        rest: {},
      })
    return choices[at]!
  }

  const onCandidate = (candidate: Json, at: number): void => {
    const choice = choiceAt(at)
    const place = at === 0 ? {} : { choice: at }
    const parts: Json[] = Array.isArray(candidate.content?.parts) ? candidate.content.parts : []
    const logprobs = logprobsOf(candidate.logprobsResult)
    for (const [index, part] of parts.entries())
      if (!onPieces(choice, place, part))
        onPart(choice, place, decodePart(part, choice.ids), index === 0 ? logprobs : [])
    const late = unknownCandidateFields(candidate)
    if (isLosslessLogprobs(candidate.logprobsResult, logprobs)) delete late.logprobsResult
    const news = differing(choice.rest, late)
    if (Object.keys(news).length > 0) {
      Object.assign(choice.rest, news)
      emit({
        type: 'unknown-fields',
        choice: at,
        unknownFields: { dialect: dialectId, fields: news },
      })
    }
    if (choice.open?.type === 'text')
      for (const citation of citationsOf(candidate, choice.text))
        emit({ type: 'citation', ...place, index: choice.count - 1, citation })
    choice.finish = decodeFinish(candidate, choice.hasCall) ?? choice.finish
  }

  const open = (choice: DecodedChoice, place: Json, part: Part): void => {
    choice.open = part
    choice.hasCall ||= part.type === 'tool-call'
    choice.text = part.type === 'text' ? part.text : choice.text
    emit({ type: 'part', ...place, index: choice.count, part })
    choice.count += 1
  }

  const onPart = (
    choice: DecodedChoice,
    place: Json,
    part: Part,
    logprobs: ReturnType<typeof logprobsOf>,
  ): void => {
    const index = choice.count - 1
    const isSame = choice.isGrowing && part.type === choice.open?.type && !part.unknownFields
    if (part.type === 'text' || part.type === 'thinking') {
      const { text, signature } = part
      if (text === '' && !signature) return
      const encoded = logprobs.length > 0 && part.type === 'text' ? { logprobs } : {}
      if (isSame && text !== '') emit({ type: 'delta', ...place, index, text, ...encoded })
      if (isSame && signature) emit({ type: 'signature', ...place, index, signature })
      if (!isSame) open(choice, place, { ...part, ...encoded })
      else if (part.type === 'text') choice.text += text
      choice.isGrowing = !signature
      return
    }
    // A sound comes in pieces of one kind.
    const before = choice.open?.type === 'media' ? choice.open.mime : undefined
    const isSound = part.type === 'media' && part.mime.startsWith('audio/')
    if (isSame && isSound && part.mime === before)
      emit({ type: 'delta', ...place, index, text: part.base64 ?? '' })
    else open(choice, place, part)
    choice.isGrowing = isSound
  }

  /** Handles a streamed call: first its name, then values by path, then a frame that ends it. Returns true if handled. */
  const onPieces = (choice: DecodedChoice, place: Json, part: Json): boolean => {
    const call = part?.functionCall
    if (!isObject(call)) return false
    const isPiece = call.willContinue === true || Array.isArray(call.partialArgs)
    if (!isPiece && !choice.pieces) return false
    if (!choice.pieces) {
      const { partialArgs, willContinue, ...head } = call
      onPart(choice, place, decodePart({ ...part, functionCall: head }, choice.ids), [])
      choice.pieces = argumentAssembler()
    }
    for (const each of Array.isArray(call.partialArgs) ? call.partialArgs : [])
      choice.pieces.add(each)
    if (call.willContinue === true) return true
    endPieces(choice, place)
    return true
  }

  const endPieces = (choice: DecodedChoice, place: Json): void => {
    const text = choice.pieces!.text()
    emit({ type: 'delta', ...place, index: choice.count - 1, text })
    choice.pieces = undefined
  }

  const fail = (error: Json): void => {
    hasFailed = true
    const { message, status, code, ...more } = error ?? {}
    emit({
      type: 'failure',
      failure: {
        message: typeof message === 'string' ? message : '',
        type: typeof status === 'string' ? status : '',
        code: code === undefined ? '' : String(code),
        ...asUnknownFields(more),
      },
    })
  }

  const decodeEvents = (frame: Json): void => {
    begin(frame)
    const news = differing(rest, unknownReplyFields(frame))
    if (Object.keys(news).length > 0)
      emit({ type: 'unknown-fields', unknownFields: { dialect: dialectId, fields: news } })
    rest = { ...rest, ...news }
    refused ??= blockedFinish(frame)
    for (const [at, each] of (Array.isArray(frame.candidates) ? frame.candidates : []).entries())
      if (isObject(each)) onCandidate(each, choiceIndex(each.index, at))
    const reportedUsage = decodeReported(frame)
    if (reportedUsage) emit({ type: 'usage', reportedUsage })
  }

  const finish = (): void => {
    if (choices.length === 0 && refused) choiceAt(0).finish = refused
    for (const [at, choice] of choices.entries()) {
      const place = at === 0 ? {} : { choice: at }
      if (choice.pieces) endPieces(choice, place)
      if (choice.finish) emit({ type: 'finish', ...place, finish: choice.finish })
    }
    emit({ type: 'end' })
  }

  return {
    pushFrame: data => {
      if (hasFailed || data.trim() === '[DONE]') return
      const frame = parse(data)
      if (!isObject(frame)) malformedCount += 1
      else if (isObject(frame.error)) fail(frame.error)
      else decodeEvents(frame)
    },
    end: () => {
      if (hasFailed) return
      const isWhole = refused !== undefined || choices.some(choice => choice.finish)
      if (isWhole) finish()
      else fail({ message: 'The answer ended before its end.', status: 'UNAVAILABLE', code: 503 })
    },
    malformedFrames: () => malformedCount,
  }
}

const differing = (before: Json, after: Json): Json =>
  Object.fromEntries(
    Object.entries(after).filter(
      ([key, value]) => JSON.stringify(value) !== JSON.stringify(before[key]),
    ),
  )

const parse = (data: string): Json => {
  try {
    return JSON.parse(data)
  } catch {
    return undefined
  }
}
