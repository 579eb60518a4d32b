import type {
  ChatEvent,
  Citation,
  Failure,
  Finish,
  Logprob,
  Part,
  ReportedUsage,
  Signature,
} from '../../canon.ts'
import type { EncodeOptions, StreamEncoder } from '../../dialect.ts'
import type { Json } from '../../json/json.ts'
import { warningCollector } from '../../warnings.ts'
import { groundingOf } from '../citations.ts'
import { failureBody } from '../errors.ts'
import { dialectId, ownFields } from '../parts.ts'
import {
  callIdPrefix,
  encodeFinish,
  encodeLogprobs,
  encodePart,
  encodeReported,
  hasInvalidInput,
  isRefusal,
  malformedCallFinish,
} from '../response.ts'
import { audioMimeOf } from '../speech.ts'

type StreamHead = Omit<Extract<ChatEvent, { type: 'start' }>, 'type'>

/** State of one choice. */
type EncodedChoice = {
  /** The last part. */
  open?: Part
  /** A signature to send at the end of the open part. */
  pendingSignature?: Signature
  text: string
  citations: Citation[]
  finish?: Finish
  /** Arguments of a call that are no JSON. */
  malformedCall?: string
  hasRefused: boolean
  unknownFields: Json
}

/** Encodes a stream. Calls are sent whole, and the last frame carries the finish reasons. */
export const encodeEvents = (options: EncodeOptions = {}): StreamEncoder =>
  new GeminiStreamEncoder(options)

class GeminiStreamEncoder implements StreamEncoder {
  private readonly collector = warningCollector(dialectId)
  private readonly isArray: boolean
  private readonly choices: EncodedChoice[] = []
  private head: StreamHead = { id: '', model: '' }
  /** Response fields that no frame has sent yet. */
  private pendingFields: Json = {}
  private isBlocked = false
  private isFirst = true
  private hasEnded = false
  private reportedUsage: ReportedUsage | undefined
  private bytes = ''

  constructor(options: EncodeOptions) {
    this.isArray = options.streamFormat === 'array'
  }

  get warnings() {
    return this.collector.list
  }

  push(event: ChatEvent): string {
    if (this.hasEnded) return ''
    this.encode(event)
    const encoded = this.bytes
    this.bytes = ''
    return encoded
  }

  private encode(event: ChatEvent) {
    const index = ('choice' in event ? event.choice : undefined) ?? 0
    if (event.type === 'start') this.start(event)
    else if (event.type === 'part') this.openPart(index, event.part)
    else if (event.type === 'delta') this.addText(index, event.text, event.logprobs)
    else if (event.type === 'signature') this.addSignature(index, event.signature)
    else if (event.type === 'citation') this.choiceAt(index).citations.push(event.citation)
    else if (event.type === 'transcript') this.collector.warnDropped('transcript')
    else if (event.type === 'usage')
      this.reportedUsage = { ...this.reportedUsage, ...event.reportedUsage }
    else if (event.type === 'finish') this.choiceAt(index).finish = event.finish
    else if (event.type === 'unknown-fields') this.addUnknownFields(event)
    else if (event.type === 'failure') this.fail(event.failure)
    else if (event.type === 'end') this.end()
  }

  private write(frame: Json) {
    const json = JSON.stringify(frame)
    this.bytes += this.isArray ? `${this.isFirst ? '[' : ',\n'}${json}` : `data: ${json}\n\n`
    this.isFirst = false
  }

  private writeFrame(fields: Json) {
    const { model, id } = this.head
    this.write({ ...fields, modelVersion: model, responseId: id, ...this.pendingFields })
    this.pendingFields = {}
  }

  private writeParts(index: number, parts: readonly Json[], more: Json = {}) {
    this.writeFrame({ candidates: [{ content: { parts, role: 'model' }, index, ...more }] })
  }

  private choiceAt(index: number): EncodedChoice {
    while (this.choices.length <= index)
      this.choices.push({ text: '', citations: [], hasRefused: false, unknownFields: {} })
    return this.choices[index]!
  }

  private start(event: Extract<ChatEvent, { type: 'start' }>) {
    const { type, ...head } = event
    this.head = head
    this.reportedUsage = event.reportedUsage
    this.collector.warnForeignFields(event.unknownFields)
    this.addResponseFields(ownFields(event.unknownFields))
  }

  private openPart(index: number, part: Part) {
    this.closePart(index)
    const choice = this.choiceAt(index)
    if (part.cache) this.collector.warnDropped('cache_control')
    choice.open = part.type === 'tool-call' ? { ...part } : part
    if (part.type === 'tool-call') return
    choice.hasRefused ||= isRefusal(part)
    if (part.type === 'text') {
      choice.text = part.text
      choice.citations.push(...(part.citations ?? []))
    }
    // An empty part sends its fields with the first text and its signature after the last.
    const isEmpty = (part.type === 'text' || part.type === 'thinking') && part.text === ''
    choice.pendingSignature = isEmpty ? part.signature : undefined
    if (isEmpty) return
    const encoded = encodePart(part, callIdPrefix(this.head.id, index), this.collector)
    if (encoded)
      this.writeParts(
        index,
        [encoded],
        encodedLogprobs(part.type === 'text' ? part.logprobs : undefined),
      )
    choice.open = withoutUnknownFields(part)
  }

  private addText(index: number, text: string, logprobs?: readonly Logprob[]) {
    const choice = this.choiceAt(index)
    const { open } = choice
    if (open?.type === 'tool-call') open.input += text
    else if (open?.type === 'media')
      this.writeParts(index, [{ inlineData: { mimeType: audioMimeOf(open.mime), data: text } }])
    else if (open?.type === 'text' || open?.type === 'thinking') {
      if (open.type === 'text') choice.text += text
      const { signature, ...bare } = open
      const encoded = encodePart({ ...bare, text }, '', this.collector)
      this.writeParts(index, [encoded!], encodedLogprobs(logprobs))
      choice.open = withoutUnknownFields(open)
    }
  }

  private addSignature(index: number, signature: Signature) {
    const { open } = this.choiceAt(index)
    if (open?.type === 'tool-call') open.signature = signature
    else if (open?.type === 'text' || open?.type === 'thinking')
      this.writeParts(index, [encodePart({ ...open, text: '', signature }, '', this.collector)!])
    else this.collector.warnDropped('signature')
  }

  /** A call is sent when its part is complete. */
  private closePart(index: number) {
    const choice = this.choiceAt(index)
    const { open, pendingSignature } = choice
    if (pendingSignature) this.addSignature(index, pendingSignature)
    choice.pendingSignature = undefined
    choice.open = undefined
    if (open?.type !== 'tool-call') return
    if (hasInvalidInput(open)) choice.malformedCall = open.input
    else
      this.writeParts(index, [encodePart(open, callIdPrefix(this.head.id, index), this.collector)!])
  }

  private lastCandidate(choice: EncodedChoice, index: number): Json {
    const { finish = { reason: 'stop' }, malformedCall, hasRefused, citations, text } = choice
    const foreign = citations.filter(each => each.raw?.dialect !== dialectId)
    const grounding = groundingOf(foreign, text, this.collector)
    const { content, ...more } = choice.unknownFields
    return {
      content: { parts: [{ text: '' }], role: 'model', ...content },
      ...encodeFinish(finish, hasRefused, this.collector),
      ...(malformedCall === undefined ? {} : malformedCallFinish(malformedCall, finish)),
      index,
      ...(grounding ? { groundingMetadata: grounding } : {}),
      ...more,
    }
  }

  private end() {
    if (this.choices.length === 0) this.choiceAt(0)
    for (const index of this.choices.keys()) this.closePart(index)
    const usageMetadata = encodeReported(this.reportedUsage, this.head.tier, this.collector)
    const candidates = this.isBlocked
      ? {}
      : { candidates: this.choices.map((choice, index) => this.lastCandidate(choice, index)) }
    this.writeFrame({
      ...candidates,
      ...(usageMetadata === undefined ? {} : { usageMetadata }),
    })
    if (this.isArray) this.bytes += '\n]'
    this.hasEnded = true
  }

  private fail(failure: Failure) {
    this.write(failureBody(failure, ownFields(failure.unknownFields)))
    if (this.isArray) this.bytes += '\n]'
    this.hasEnded = true
  }

  private addResponseFields(fields: Json) {
    this.pendingFields = { ...this.pendingFields, ...fields }
    this.isBlocked ||= fields.promptFeedback?.blockReason !== undefined
  }

  private addUnknownFields({
    choice,
    index,
    unknownFields,
  }: Extract<ChatEvent, { type: 'unknown-fields' }>) {
    this.collector.warnForeignFields(unknownFields)
    if (index !== undefined) return
    const fields = ownFields(unknownFields)
    if (choice !== undefined) Object.assign(this.choiceAt(choice).unknownFields, fields)
    else this.addResponseFields(fields)
  }
}

const withoutUnknownFields = (part: Part): Part => {
  if (!part.unknownFields) return part
  const { unknownFields, ...bare } = part
  return bare
}

const encodedLogprobs = (logprobs: readonly Logprob[] | undefined): Json =>
  logprobs && logprobs.length > 0 ? { logprobsResult: encodeLogprobs(logprobs) } : {}
