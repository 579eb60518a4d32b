import type { ChatEvent, Finish, Part } from '../../canon.ts'
import { choiceIndex } from '../../decode-values.ts'
import type { StreamDecoder } from '../../dialect.ts'
import type { Json } from '../../json/json.ts'
import { citationsOf } from '../citations.ts'
import {
  asUnknownFields,
  type CallIds,
  decodePart,
  dialectId,
  isFilledPart,
  isObject,
} from '../parts.ts'
import {
  answerCallIds,
  blockedFinish,
  decodeFinish,
  decodeHead,
  decodeReported,
  isLosslessLogprobs,
  logprobsOf,
  unknownAnswerFields,
  unknownCandidateFields,
} from '../response.ts'
import { argumentAssembler } from './call-arguments.ts'

/** One choice of the stream. */
type DecodedChoice = {
  ids: CallIds
  count: number
  /** The part that opened last. */
  open?: Part
  /** More text may belong to the open part. */
  isGrowing: boolean
  /** A call whose arguments come in pieces. */
  pieces?: ReturnType<typeof argumentAssembler>
  text: string
  hasCall: boolean
  unknownFields: Json
  finish?: Finish
}

/** Decodes Gemini's frames. The dialect has no closing frame, so finish and end are emitted when the bytes end. */
export const decodeFrames = (emit: (event: ChatEvent) => void): StreamDecoder =>
  new GeminiStreamDecoder(emit)

class GeminiStreamDecoder implements StreamDecoder {
  private readonly emit: (event: ChatEvent) => void
  private readonly choices: DecodedChoice[] = []
  private head = { id: '', model: '' }
  /** Fields of the answer that the canonical form lacks, as last emitted. */
  private unknownFields: Json = {}
  private hasBegun = false
  private hasFailed = false
  /** The finish of a prompt that was blocked, for a stream without candidates. */
  private blocked: Finish | undefined
  private malformedCount = 0

  constructor(emit: (event: ChatEvent) => void) {
    this.emit = emit
  }

  pushFrame(data: string) {
    if (this.hasFailed || data.trim() === '[DONE]') return
    const frame = parse(data)
    if (!isObject(frame)) this.malformedCount += 1
    else if (isObject(frame.error)) this.fail(frame.error)
    else this.decodeFrame(frame)
  }

  end() {
    if (this.hasFailed) return
    if (this.mayBeComplete()) this.finish()
    else
      this.fail({ message: 'The answer ended before its end.', status: 'UNAVAILABLE', code: 503 })
  }

  mayBeComplete() {
    return this.blocked !== undefined || this.choices.some(choice => choice.finish)
  }

  malformedFrames() {
    return this.malformedCount
  }

  private begin(frame: Json) {
    if (this.hasBegun) return
    this.hasBegun = true
    this.head = decodeHead(frame)
    this.unknownFields = unknownAnswerFields(frame)
    this.emit({ type: 'start', ...this.head, ...asUnknownFields(this.unknownFields) })
  }

  private decodeFrame(frame: Json) {
    this.begin(frame)
    const changed = differing(this.unknownFields, unknownAnswerFields(frame))
    if (Object.keys(changed).length > 0)
      this.emit({
        type: 'unknown-fields',
        unknownFields: { dialect: dialectId, fields: changed },
      })
    this.unknownFields = { ...this.unknownFields, ...changed }
    this.blocked ??= blockedFinish(frame)
    for (const [at, each] of (Array.isArray(frame.candidates) ? frame.candidates : []).entries())
      if (isObject(each)) this.decodeCandidate(each, choiceIndex(each.index, at))
    const reportedUsage = decodeReported(frame)
    if (reportedUsage) this.emit({ type: 'usage', reportedUsage })
  }

  private choiceAt(at: number): DecodedChoice {
    while (this.choices.length <= at)
      this.choices.push({
        ids: answerCallIds(this.head.id, this.choices.length),
        count: 0,
        isGrowing: false,
        text: '',
        hasCall: false,
        unknownFields: {},
      })
    return this.choices[at]!
  }

  private decodeCandidate(candidate: Json, at: number) {
    const choice = this.choiceAt(at)
    const position = at === 0 ? {} : { choice: at }
    const parts: Json[] = Array.isArray(candidate.content?.parts) ? candidate.content.parts : []
    const logprobs = logprobsOf(candidate.logprobsResult)
    for (const [index, part] of parts.entries())
      if ((choice.pieces || isFilledPart(part)) && !this.addCallPiece(choice, position, part))
        this.addPart(choice, position, decodePart(part, choice.ids), index === 0 ? logprobs : [])
    const unknown = unknownCandidateFields(candidate)
    if (isLosslessLogprobs(candidate.logprobsResult, logprobs)) delete unknown.logprobsResult
    const changed = differing(choice.unknownFields, unknown)
    if (Object.keys(changed).length > 0) {
      Object.assign(choice.unknownFields, changed)
      this.emit({
        type: 'unknown-fields',
        choice: at,
        unknownFields: { dialect: dialectId, fields: changed },
      })
    }
    if (choice.open?.type === 'text')
      for (const citation of citationsOf(candidate, choice.text))
        this.emit({ type: 'citation', ...position, index: choice.count - 1, citation })
    choice.finish = decodeFinish(candidate, choice.hasCall) ?? choice.finish
  }

  private openPart(choice: DecodedChoice, position: Json, part: Part) {
    choice.open = part
    choice.hasCall ||= part.type === 'tool-call'
    choice.text = part.type === 'text' ? part.text : choice.text
    this.emit({ type: 'part', ...position, index: choice.count, part })
    choice.count += 1
  }

  private addPart(
    choice: DecodedChoice,
    position: Json,
    part: Part,
    logprobs: ReturnType<typeof logprobsOf>,
  ) {
    const index = choice.count - 1
    const continues = choice.isGrowing && part.type === choice.open?.type && !part.unknownFields
    if (part.type === 'text' || part.type === 'thinking') {
      const { text, signature } = part
      if (text === '' && !signature) return
      const encoded = logprobs.length > 0 && part.type === 'text' ? { logprobs } : {}
      if (continues && text !== '')
        this.emit({ type: 'delta', ...position, index, text, ...encoded })
      if (continues && signature) this.emit({ type: 'signature', ...position, index, signature })
      if (!continues) this.openPart(choice, position, { ...part, ...encoded })
      else if (part.type === 'text') choice.text += text
      choice.isGrowing = !signature
      return
    }
    // Audio arrives in pieces of one media type.
    const openMime = choice.open?.type === 'media' ? choice.open.mime : undefined
    const isAudio = part.type === 'media' && part.mime.startsWith('audio/')
    if (continues && isAudio && part.mime === openMime)
      this.emit({ type: 'delta', ...position, index, text: part.base64 ?? '' })
    else this.openPart(choice, position, part)
    choice.isGrowing = isAudio
  }

  /** Handles a streamed call: its name first, then values by path, then a frame that ends it. Returns true if handled. */
  private addCallPiece(choice: DecodedChoice, position: Json, part: Json): boolean {
    const call = part?.functionCall
    if (!isObject(call)) return false
    const isPiece = call.willContinue === true || Array.isArray(call.partialArgs)
    if (!isPiece && !choice.pieces) return false
    if (!choice.pieces) {
      const { partialArgs, willContinue, ...head } = call
      this.addPart(choice, position, decodePart({ ...part, functionCall: head }, choice.ids), [])
      choice.pieces = argumentAssembler()
    }
    for (const each of Array.isArray(call.partialArgs) ? call.partialArgs : [])
      choice.pieces.add(each)
    if (call.willContinue === true) return true
    this.endCall(choice, position)
    return true
  }

  private endCall(choice: DecodedChoice, position: Json) {
    const text = choice.pieces!.text()
    this.emit({ type: 'delta', ...position, index: choice.count - 1, text })
    choice.pieces = undefined
  }

  private fail(error: Json) {
    this.hasFailed = true
    const { message, status, code, ...more } = error ?? {}
    this.emit({
      type: 'failure',
      failure: {
        message: typeof message === 'string' ? message : '',
        type: typeof status === 'string' ? status : '',
        code: code === undefined ? '' : String(code),
        ...asUnknownFields(more),
      },
    })
  }

  private finish() {
    if (this.choices.length === 0 && this.blocked) this.choiceAt(0).finish = this.blocked
    for (const [at, choice] of this.choices.entries()) {
      const position = at === 0 ? {} : { choice: at }
      if (choice.pieces) this.endCall(choice, position)
      if (choice.finish) this.emit({ type: 'finish', ...position, finish: choice.finish })
    }
    this.emit({ type: 'end' })
  }
}

/** The entries of `after` that differ from `before`. */
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
