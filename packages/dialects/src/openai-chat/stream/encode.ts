import type {
  ChatEvent,
  Citation,
  Failure,
  Finish,
  Part,
  ReportedUsage,
  Signature,
  ToolCallPart,
} from '../../canon.ts'
import type { EncodeOptions, StreamEncoder } from '../../dialect.ts'
import type { Json } from '../../json/json.ts'
import { ownFields } from '../../unknown-fields.ts'
import { typeNameOf, type WarningCollector, warningCollector } from '../../warnings.ts'
import { encodeAudio, encodeGeneratedMedia } from '../content-parts.ts'
import { encodeFinish } from '../finish.ts'
import { encodeDetail, signatureDetail } from '../reasoning.ts'
import { encodeLogprob, encodeReportedUsage } from '../response.ts'
import {
  customNamesOf,
  encodeCall,
  encodeCitation,
  encodeGoogleSignature,
  unwrapCustomCall,
} from '../tool-calls.ts'

const dialectId = 'openai-chat'

type EventOf<Type extends ChatEvent['type']> = ChatEvent & { type: Type }
type TextDelta = Pick<EventOf<'delta'>, 'choice' | 'text' | 'logprobs'>

/** The state of one encoded choice. */
type EncodedChoice = {
  /** The kind of the open part. */
  kind: Part['type'] | 'refusal' | ''
  calls: number
  thoughts: number
  isCustom: boolean
  /** The length of the text so far, and the start of the open part in it. */
  length: number
  base: number
  /** Wait for the end of their part, where the cited range is known. */
  citations: Citation[]
  signature: Signature | undefined
  /** A custom call whose input is wrapped in an object. It is encoded when the input is complete. */
  wrappedCall: ToolCallPart | undefined
  isFinished: boolean
}

const newChoice = (): EncodedChoice => ({
  kind: '',
  calls: 0,
  thoughts: 0,
  isCustom: false,
  length: 0,
  base: 0,
  citations: [],
  signature: undefined,
  wrappedCall: undefined,
  isFinished: false,
})

const unfinished = ',"logprobs":null,"finish_reason":null'

export const encodeEvents = (options: EncodeOptions = {}): StreamEncoder =>
  new ChatStreamEncoder(options)

/** Builds the beginning and the end of all chunks once, and for each event only the part between them. */
class ChatStreamEncoder implements StreamEncoder {
  readonly warnings
  private readonly options: EncodeOptions
  private readonly collector = warningCollector(dialectId)
  private readonly choices: EncodedChoice[] = []
  private readonly customNames: ReadonlySet<string>
  private readonly chunkEnd: string
  private chunkStart = ''
  private reportedUsage: ReportedUsage | undefined
  private isOver = false

  constructor(options: EncodeOptions) {
    this.options = options
    this.warnings = this.collector.list
    this.customNames = customNamesOf(options)
    this.chunkEnd = options.wantsUsage ? '}],"usage":null}\n\n' : '}]}\n\n'
  }

  push(event: ChatEvent): string {
    if (this.isOver) return ''
    switch (event.type) {
      case 'delta':
        return this.encodeDelta(event)
      case 'part':
        return this.encodePart(event)
      case 'start':
        return this.encodeStart(event)
      case 'usage':
        this.reportedUsage = event.reportedUsage
        return ''
      case 'finish':
        return this.encodeChoiceEnd(event.choice ?? 0, event.finish)
      case 'end':
        return this.encodeEnd()
      case 'failure':
        return this.encodeFailure(event.failure)
      case 'opaque':
        if (event.dialect !== dialectId) this.collector.warnDropped(event.name)
        return ''
      case 'unknown-fields':
        return this.encodeUnknownFields(event)
      default:
        return this.encodeAddition(event)
    }
  }

  private chunk(choice: number, delta: string, fields: string): string {
    const { chunkStart, chunkEnd } = this
    return `${chunkStart}"choices":[{"index":${choice},"delta":${delta}${fields}${chunkEnd}`
  }

  private encodeStart(event: EventOf<'start'>): string {
    this.collector.warnForeignFields(event.unknownFields)
    const fields: Json = {
      id: event.id,
      object: 'chat.completion.chunk',
      created: event.createdAt ?? this.options.createdAt ?? 0,
      model: event.model,
      ...(event.tier === undefined ? {} : { service_tier: event.tier }),
      ...ownFields(event.unknownFields, dialectId),
    }
    this.reportedUsage = event.reportedUsage
    this.chunkStart = `data: ${JSON.stringify(fields).slice(0, -1)},`
    return this.openChoice(0).opening
  }

  /** The first chunk of a choice names its role. */
  private openChoice(index: number): { choice: EncodedChoice; opening: string } {
    const choice = this.choices[index]
    if (choice) return { choice, opening: '' }
    this.choices[index] = newChoice()
    const delta = '{"role":"assistant","content":"","refusal":null}'
    return { choice: this.choices[index], opening: this.chunk(index, delta, unfinished) }
  }

  private encodeDelta({ choice: index = 0, text, logprobs }: TextDelta): string {
    const choice = this.choices[index]
    if (!choice || choice.kind === '') return ''
    if (choice.wrappedCall) {
      choice.wrappedCall.input += text
      return ''
    }
    if (choice.kind !== 'text' && choice.kind !== 'refusal')
      return this.chunk(index, deltaOf(choice, text), unfinished)
    choice.length += choice.kind === 'text' ? text.length : 0
    const field = choice.kind === 'text' ? 'content' : 'refusal'
    const fields = logprobs ? logprobsField(field, logprobs) : unfinished
    return this.chunk(index, `{"${field}":${JSON.stringify(text)}}`, fields)
  }

  private encodePart({ choice: index = 0, part }: EventOf<'part'>): string {
    const { choice, opening } = this.openChoice(index)
    const before = opening + this.encodePartEnd(index, choice)
    choice.kind = part.type === 'text' && part.refusal ? 'refusal' : part.type
    if (part.type === 'tool-call' && !part.custom && this.customNames.has(part.name)) {
      choice.wrappedCall = { ...part }
      return before
    }
    if (part.type !== 'text') {
      const delta = openingOf(choice, part, this.collector)
      return delta === '' ? before : before + this.chunk(index, delta, unfinished)
    }
    this.collector.warnForeignFields(part.unknownFields)
    choice.base = choice.length
    if (part.citations) choice.citations.push(...part.citations)
    const text =
      part.text === '' && !part.logprobs
        ? ''
        : this.encodeDelta({ choice: index, text: part.text, logprobs: part.logprobs })
    choice.signature = part.signature
    return before + text
  }

  private encodeAddition(event: EventOf<'citation' | 'transcript' | 'signature'>): string {
    const { choice: index = 0 } = event
    const choice = this.choices[index]
    if (!choice) return ''
    if (event.type === 'transcript') {
      const transcript = JSON.stringify(event.text)
      return this.chunk(index, `{"audio":{"transcript":${transcript}}}`, unfinished)
    }
    if (event.type === 'signature')
      return this.chunk(index, signatureDelta(choice, event.signature), unfinished)
    choice.citations.push(event.citation)
    return ''
  }

  private encodeUnknownFields({ choice, index, unknownFields }: EventOf<'unknown-fields'>): string {
    this.collector.warnForeignFields(unknownFields)
    const fields = ownFields(unknownFields, dialectId)
    if (!fields || index !== undefined) return ''
    if (choice === undefined) {
      const json = JSON.stringify(fields).slice(1, -1)
      return `${this.chunkStart}${json},"choices":[]${this.chunkEnd.slice(2)}`
    }
    const { message, ...choiceFields } = fields
    const { opening } = this.openChoice(choice)
    const json = JSON.stringify(choiceFields).slice(1, -1)
    const delta = JSON.stringify(message ?? {})
    return opening + this.chunk(choice, delta, json ? `${unfinished},${json}` : unfinished)
  }

  /** Encodes what belongs to the last part and had to wait for its end. */
  private encodePartEnd(index: number, choice: EncodedChoice): string {
    const { signature, wrappedCall } = choice
    choice.signature = undefined
    choice.wrappedCall = undefined
    if (wrappedCall) {
      const call = unwrapCustomCall(wrappedCall, this.customNames)
      return this.chunk(index, openingOf(choice, call, this.collector), unfinished)
    }
    const signed = signature ? this.chunk(index, googleSignature(signature.text), unfinished) : ''
    return choice.citations.length === 0 ? signed : signed + this.encodeCitations(index, choice)
  }

  private encodeCitations(index: number, choice: EncodedChoice): string {
    const annotations = choice.citations
      .map(each => encodeCitation(each, choice.base, choice.length - choice.base))
      .filter(each => each !== undefined)
    if (annotations.length < choice.citations.length) this.collector.warnDropped('citations')
    choice.citations = []
    if (annotations.length === 0) return ''
    return this.chunk(index, JSON.stringify({ annotations }), unfinished)
  }

  private encodeChoiceEnd(index: number, finish: Finish): string {
    const { choice, opening } = this.openChoice(index)
    const before = opening + this.encodePartEnd(index, choice)
    choice.isFinished = true
    const reason = JSON.stringify(encodeFinish(finish, this.collector))
    return before + this.chunk(index, '{}', `,"logprobs":null,"finish_reason":${reason}`)
  }

  private encodeEnd(): string {
    this.isOver = true
    if (this.chunkStart === '') return 'data: [DONE]\n\n'
    let chunks = ''
    for (const [index, choice] of this.choices.entries())
      if (choice && !choice.isFinished)
        chunks += this.encodeChoiceEnd(index, { reason: choice.calls > 0 ? 'tools' : 'stop' })
    const usage = this.options.wantsUsage ? encodeReportedUsage(this.reportedUsage) : undefined
    if (usage) chunks += `${this.chunkStart}"choices":[],"usage":${JSON.stringify(usage)}}\n\n`
    return `${chunks}data: [DONE]\n\n`
  }

  private encodeFailure({ message, type, code }: Failure): string {
    this.isOver = true
    const error = { message, type, param: null, code: code || null }
    return `data: ${JSON.stringify({ error })}\n\n`
  }
}

const logprobsField = (field: string, logprobs: Parameters<typeof encodeLogprob>[0][]): string => {
  const value = { content: null, refusal: null, [field]: logprobs.map(encodeLogprob) }
  return `,"logprobs":${JSON.stringify(value)},"finish_reason":null`
}

/** The delta that continues a part other than text. */
const deltaOf = ({ kind, calls, isCustom }: EncodedChoice, text: string): string => {
  const json = JSON.stringify(text)
  if (kind === 'thinking') return `{"reasoning_content":${json}}`
  if (kind === 'media') return `{"audio":{"data":${json}}}`
  if (kind !== 'tool-call') return '{}'
  const field = isCustom ? `"custom":{"input":${json}}` : `"function":{"arguments":${json}}`
  return `{"tool_calls":[{"index":${calls - 1},${field}}]}`
}

/** The delta that opens a part; '' if there is nothing to send yet, or the dialect has no such part. */
const openingOf = (choice: EncodedChoice, part: Part, warnings: WarningCollector): string => {
  switch (part.type) {
    case 'thinking': {
      warnings.warnForeignFields(part.unknownFields)
      const index = choice.thoughts
      choice.thoughts += 1
      const text = part.text === '' ? '' : `"reasoning_content":${JSON.stringify(part.text)}`
      if (!part.signature && !ownFields(part.unknownFields, dialectId)) return text && `{${text}}`
      const { text: _, summary: __, ...detail } = encodeDetail(part, index)
      return `{${text && `${text},`}"reasoning_details":[${JSON.stringify(detail)}]}`
    }
    case 'tool-call': {
      choice.isCustom = part.custom === true
      const call = { index: choice.calls, ...encodeCall(part, warnings) }
      choice.calls += 1
      return JSON.stringify({ tool_calls: [call] })
    }
    case 'media': {
      const message: Json = {}
      if (part.mime.startsWith('audio/')) message.audio = encodeAudio(part)
      else encodeGeneratedMedia(part, message, warnings)
      return JSON.stringify(message)
    }
    case 'opaque':
      if (part.dialect === dialectId) return JSON.stringify({ content: [part.value] })
      warnings.warnDropped(typeNameOf(part.value))
      return ''
    default:
      warnings.warnDropped(part.type)
      return ''
  }
}

const signatureDelta = (choice: EncodedChoice, signature: Signature): string => {
  if (choice.kind === 'thinking')
    return JSON.stringify({ reasoning_details: [signatureDetail(signature, choice.thoughts - 1)] })
  if (choice.kind !== 'tool-call') return googleSignature(signature.text)
  const call = { index: choice.calls - 1, extra_content: encodeGoogleSignature(signature) }
  return JSON.stringify({ tool_calls: [call] })
}

const googleSignature = (text: string): string =>
  JSON.stringify({ extra_content: { google: { thought_signature: text } } })
