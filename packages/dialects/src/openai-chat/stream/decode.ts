import type { ChatEvent, ThinkingPart, UnknownFields } from '../../canon.ts'
import { choiceIndex, filledIn, isEmpty, listOf, textOf } from '../../decode-values.ts'
import type { StreamDecoder } from '../../dialect.ts'
import { dataTemplate } from '../../framing/data-template.ts'
import type { Json } from '../../json/json.ts'
import { filledUnknownFields } from '../../unknown-fields.ts'
import { decodeAudio, decodeContent } from '../content-parts.ts'
import { decodeFault } from '../errors.ts'
import { finishOf } from '../finish.ts'
import { decodeDetails, reasoningTextOf } from '../reasoning.ts'
import { messageKeys, thinkingTextOf } from '../request/messages.ts'
import { answerKeys, choiceKeys, decodeLogprob, usageIn, usageReportOf } from '../response.ts'
import { decodeCall, decodeCitation, isEmptyCall, signatureIn } from '../tool-calls.ts'
import { ChoiceAssembler } from './choice-assembler.ts'

const dialectId = 'openai-chat'
const textKeys = ['content', 'reasoning_content', 'reasoning']

// https://platform.openai.com/docs/api-reference/chat-streaming
export const decodeFrames = (emit: (event: ChatEvent) => void): StreamDecoder =>
  new ChatStreamDecoder(emit)

class ChatStreamDecoder implements StreamDecoder {
  private readonly onEvent: (event: ChatEvent) => void
  private readonly emit = (event: ChatEvent): void => this.emitEvent(event)
  private readonly template = dataTemplate()
  /** The number of events of the current frame, and the last one. */
  private events = 0
  private lastEvent: ChatEvent | undefined
  private readonly choices: ChoiceAssembler[] = []
  private readonly finishReasons: string[] = []
  /** Output followed the finish of its choice, so that a finish does not mean the end. */
  private repeatsFinish = false
  private answerId = ''
  private hasStarted = false
  private isOver = false
  private malformed = 0
  private usage: Json
  private tier: unknown
  /** Unknown fields of frames before the first one with an id. */
  private earlyFields: UnknownFields | undefined
  /** The JSON of each unknown field that was emitted, because some vendors repeat them in every frame. */
  private readonly emittedFields = new Map<string, string>()

  constructor(onEvent: (event: ChatEvent) => void) {
    this.onEvent = onEvent
  }

  pushFrame(data: string, event: string): void {
    if (this.isOver) return
    const text = this.template.textIn(event === '' ? data : '')
    if (text !== '') {
      this.repeatDelta(text)
      return
    }
    this.events = 0
    if (data.charCodeAt(0) === 0x5b && data.trim() === '[DONE]') {
      if (!this.hasStarted) this.start({})
      this.finish({ type: 'end' })
      return
    }
    const chunk = parse(data)
    if (chunk === undefined) {
      this.malformed += 1
      return
    }
    if (isError(chunk, event)) {
      this.fail(data)
      return
    }
    this.decodeChunk(chunk)
    this.rememberTemplate(data, chunk)
  }

  end(): void {
    if (this.isOver) return
    if (this.isFinished()) {
      this.finish({ type: 'end' })
      return
    }
    const message = 'The stream ended before the answer was whole.'
    this.finish({ type: 'failure', failure: { message, type: 'stream_broken', code: '' } })
  }

  mayBeComplete(): boolean {
    return this.finishReasons.length > 0
  }

  malformedFrames(): number {
    return this.malformed
  }

  private isFinished(): boolean {
    const { choices, finishReasons, repeatsFinish } = this
    const isEachFinished = choices.every((_, at) => finishReasons[at] !== undefined)
    return finishReasons.length > 0 && isEachFinished && !repeatsFinish
  }

  private emitEvent(event: ChatEvent): void {
    this.events += 1
    this.lastEvent = event
    this.onEvent(event)
  }

  private start(chunk: Json): void {
    this.hasStarted = true
    this.answerId = textOf(chunk.id)
    const event: ChatEvent = { type: 'start', id: this.answerId, model: textOf(chunk.model) }
    if (typeof chunk.created === 'number' && chunk.created > 0) event.createdAt = chunk.created
    if (typeof chunk.service_tier === 'string' && chunk.service_tier !== '')
      event.tier = chunk.service_tier
    if (this.earlyFields) event.unknownFields = this.earlyFields
    this.emit(event)
  }

  private decodeChunk(chunk: Json): void {
    const { choices } = chunk
    // Some vendors send frames about the prompt before the first frame with an id.
    if (!this.hasStarted && (textOf(chunk.id) !== '' || choices?.length > 0)) this.start(chunk)
    if (Array.isArray(choices)) for (const choice of choices) if (choice) this.decodeChoice(choice)
    const usage = usageIn(chunk)
    if (usage && (this.usage === undefined || !isEmpty(usage))) this.usage = usage
    if (chunk.service_tier) this.tier = chunk.service_tier
    this.addUnknownFields(filledUnknownFields(chunk, answerKeys, dialectId), undefined)
  }

  private decodeChoice(choice: Json): void {
    const at = choiceIndex(choice.index, 0)
    this.choices[at] ??= new ChoiceAssembler(at === 0 ? undefined : at, this.emit)
    const isWhole = isEmpty(choice.delta) && !isEmpty(choice.message)
    const delta = isWhole ? choice.message : choice.delta
    const eventsBefore = this.events
    if (delta) decodeDelta(delta, choice.logprobs, this.choices[at])
    const hasOutput = this.events > eventsBefore
    const wasFinished = this.finishReasons[at] !== undefined
    this.addUnknownFields(filledUnknownFields(choice, choiceKeys, dialectId), at)
    const inDelta = delta && filledUnknownFields(delta, messageKeys, dialectId)
    if (inDelta)
      this.addUnknownFields({ dialect: dialectId, fields: { message: inDelta.fields } }, at)
    const reason = choice.finish_reason
    if (typeof reason !== 'string' || reason === '') return
    // Some vendors send a reason in every frame: the last one counts.
    if (wasFinished && hasOutput) this.repeatsFinish = true
    this.finishReasons[at] = reason
  }

  private addUnknownFields(
    unknownFields: UnknownFields | undefined,
    choice: number | undefined,
  ): void {
    if (!unknownFields) return
    if (!this.hasStarted) {
      const fields = { ...this.earlyFields?.fields, ...unknownFields.fields }
      this.earlyFields = { dialect: dialectId, fields }
      return
    }
    let hasChanged = false
    for (const key in unknownFields.fields) {
      const path = `${choice ?? ''}.${key}`
      const json = JSON.stringify(unknownFields.fields[key])
      hasChanged ||= this.emittedFields.get(path) !== json
      this.emittedFields.set(path, json)
    }
    if (!hasChanged) return
    this.emit(
      choice === undefined
        ? { type: 'unknown-fields', unknownFields }
        : { type: 'unknown-fields', choice, unknownFields },
    )
  }

  private finish(event: ChatEvent): void {
    this.isOver = true
    for (const choice of this.choices) choice?.flush()
    for (const [at, choice] of this.choices.entries()) this.noteCitations(at, choice)
    if (event.type === 'end')
      for (const at in this.finishReasons) this.emitFinish(this.finishReasons[at]!, Number(at))
    if (this.usage)
      this.emit({ type: 'usage', reportedUsage: usageReportOf(this.usage, this.tier) })
    this.emit(event)
  }

  /** Without a text, its sources are noted as a field that canon lacks. */
  private noteCitations(choice: number, assembler: ChoiceAssembler | undefined): void {
    const left = assembler?.citationsLeft() ?? []
    if (left.length === 0) return
    const annotations = left.map(({ raw }) => raw?.value)
    const unknownFields = { dialect: dialectId, fields: { message: { annotations } } } as const
    this.addUnknownFields(unknownFields, choice)
  }

  private emitFinish(reason: string, choice: number): void {
    const finish = finishOf(reason, this.choices[choice]!.hasToolCalls)
    this.emit(choice === 0 ? { type: 'finish', finish } : { type: 'finish', choice, finish })
  }

  private fail(body: string): void {
    const unknownFields = { dialect: dialectId, fields: { body } } as const
    const failure = { ...decodeFault(Buffer.from(body)), unknownFields }
    this.finish({ type: 'failure', failure })
  }

  /** Makes a frame the template if it produced nothing but one text delta. */
  private rememberTemplate(data: string, { choices }: Json): void {
    const { lastEvent } = this
    const choice = choices?.[0]
    const delta = choice?.delta
    if (
      !delta ||
      choice.finish_reason ||
      this.events !== 1 ||
      lastEvent?.type !== 'delta' ||
      lastEvent.logprobs
    )
      return
    const { text } = lastEvent
    // Details contain the same reasoning, and take precedence.
    const keys = delta.reasoning_details || delta.thinking_blocks ? ['content'] : textKeys
    const key = keys.find(each => delta[each] === text)
    if (key) this.template.remember(data, key, text)
  }

  /** Emits the text of a frame that equals the template. */
  private repeatDelta(text: string): void {
    const { choice, index } = this.lastEvent as ChatEvent & { type: 'delta' }
    this.emit(
      choice === undefined
        ? { type: 'delta', index, text }
        : { type: 'delta', choice, index, text },
    )
  }
}

const parse = (data: string): Json => {
  try {
    const value: Json = JSON.parse(data)
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : undefined
  } catch {
    return undefined
  }
}

const isError = (chunk: Json, event: string): boolean =>
  (chunk.error !== undefined && chunk.error !== null && chunk.error !== '') ||
  chunk.object === 'error' ||
  event === 'error'

const decodeDelta = (delta: Json, logprobs: Json, assembler: ChoiceAssembler): void => {
  decodeThinking(delta, assembler)
  const { content } = delta
  if (typeof content === 'string') {
    if (content !== '' || logprobs) decodeText(content, logprobs, assembler)
  } else if (Array.isArray(content)) for (const each of content) decodeContentPart(each, assembler)
  if (typeof delta.refusal === 'string' && delta.refusal !== '')
    assembler.addText(delta.refusal, true, logprobs && listOf(logprobs.refusal).map(decodeLogprob))
  if (delta.annotations)
    for (const each of filledIn(delta.annotations)) assembler.addCitation(decodeCitation(each))
  if (delta.images)
    for (const image of filledIn(delta.images)) assembler.addPart(decodeContent(image))
  if (delta.audio && !isEmpty(delta.audio)) assembler.addAudio(decodeAudio(delta.audio))
  if (delta.tool_calls)
    for (const call of listOf(delta.tool_calls))
      if (!isEmptyCall(call))
        assembler.addToolCall(
          typeof call?.index === 'number' ? call.index : undefined,
          decodeCall(call),
        )
  if (delta.function_call && !isEmpty(delta.function_call))
    assembler.addToolCall(0, decodeCall({ function: delta.function_call }))
  const signature = signatureIn(delta)
  if (signature) assembler.addSignature(signature)
}

const decodeText = (text: string, logprobs: Json, assembler: ChoiceAssembler): void => {
  const list = logprobs?.content
  if (Array.isArray(list) && list.length > 0)
    assembler.addText(text, false, list.map(decodeLogprob))
  else if (text !== '') assembler.addText(text, false, undefined)
}

const decodeContentPart = (part: Json, assembler: ChoiceAssembler): void => {
  if (part?.type === 'text') decodeText(textOf(part.text), undefined, assembler)
  else if (part?.type === 'thinking')
    assembler.addThinking(thinkingTextOf(part.thinking), undefined)
  else assembler.addPart(decodeContent(part))
}

const noDetails: readonly ThinkingPart[] = []

const decodeThinking = (delta: Json, assembler: ChoiceAssembler): void => {
  const text = reasoningTextOf(delta)
  const parts = delta.reasoning_details || delta.thinking_blocks ? decodeDetails(delta) : noDetails
  if (text !== '' && parts.every(part => part.text === '')) assembler.addThinking(text, undefined)
  for (const part of parts) {
    if (part.redacted) assembler.addPart(part)
    else if (part.text !== '' || part.signature) assembler.addThinking(part.text, part.signature)
  }
}
