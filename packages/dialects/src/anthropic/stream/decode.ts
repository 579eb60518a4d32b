import { type ChatEvent, decodeSignature, type Part } from '../../canon.ts'
import { filledIn, hasFields, isEmpty, stringOf } from '../../decode-values.ts'
import type { StreamDecoder } from '../../dialect.ts'
import { dataTemplate } from '../../framing/data-template.ts'
import type { Json } from '../../json/json.ts'
import { unknownFieldsOf } from '../../unknown-fields.ts'
import type { ToolCounts } from '../../usage.ts'
import { decodeCitation } from '../citations.ts'
import { decodeBlock, withText } from '../content-blocks.ts'
import { decodeFault } from '../errors.ts'
import { answerKeys, finishOf, reportedOf, tierOf } from '../response.ts'
import { isSoldSearch, laterUsage } from '../usage.ts'

const dialectId = 'anthropic'
const deltaKeys = new Set(['stop_reason', 'stop_sequence'])
const frameKeys = new Set(['type', 'delta', 'usage'])
/** A bound for memory. */
const indexMax = 10_000
/** The types of the blocks that these deltas extend. */
const deltaTypes: Readonly<Record<string, 'text' | 'thinking'>> = {
  text_delta: 'text',
  thinking_delta: 'thinking',
}
const compactionKeys = new Set(['type', 'content'])

/** Decodes a message stream. https://platform.claude.com/docs/en/build-with-claude/streaming */
export const decodeFrames = (emit: (event: ChatEvent) => void): StreamDecoder =>
  new AnthropicStreamDecoder(emit)

class AnthropicStreamDecoder implements StreamDecoder {
  private readonly emit: (event: ChatEvent) => void
  private template = dataTemplate()
  /** Index of the block whose deltas match the template. */
  private templateIndex = 0
  private malformedCount = 0
  private isOver = false
  private hasStarted = false
  private hasFinished = false
  private isPartDone = false
  private hasToolCall = false
  /** The end as the first frame announced it: some vendors send no other. */
  private announcedEnd: { stop_reason?: unknown; stop_sequence?: unknown } = {}
  private usage: Json
  private readonly partTypes: Part['type'][] = []
  private searches = 0
  /** The index of the part of each block of the current message: vendors may send several messages in one stream. */
  private blocks: number[] = []

  constructor(emit: (event: ChatEvent) => void) {
    this.emit = emit
  }

  pushFrame(data: string, event: string): void {
    if (this.isOver) return
    const text = this.template.textIn(event === 'error' ? '' : data)
    if (text !== '') {
      this.emit({ type: 'delta', index: this.templateIndex, text })
      return
    }
    const frame = parse(data)
    if (frame === undefined) this.malformedCount += 1
    else if (event === 'error' || (frame.type === undefined && frame.error)) this.onError(data)
    else this.onFrame(frame, data)
  }

  end(): void {
    if (this.isOver) return
    if (this.hasFinished) {
      this.finish({ type: 'end' })
      return
    }
    const message = 'The stream ended before the answer was whole.'
    this.finish({ type: 'failure', failure: { message, type: 'stream_broken', code: '' } })
  }

  mayBeComplete(): boolean {
    return this.hasFinished || this.isPartDone
  }

  malformedFrames(): number {
    return this.malformedCount
  }

  tools(): ToolCounts {
    return this.searches > 0 ? { web_search: this.searches } : {}
  }

  private onFrame(frame: Json, data: string): void {
    switch (frame?.type) {
      case 'content_block_delta':
        this.onDelta(frame.index, frame.delta, data)
        return
      case 'content_block_start':
        this.isPartDone = false
        if (isSoldSearch(frame.content_block)) this.searches += 1
        this.openBlock(frame.index, frame.content_block)
        return
      case 'content_block_stop':
        this.isPartDone = true
        return
      case 'ping':
        return
      case 'message_start':
        this.onMessageStart(frame.message ?? {})
        return
      case 'message_delta':
        this.onMessageDelta(frame)
        return
      case 'message_stop':
        this.finish({ type: 'end' })
        return
      case 'error':
        this.onError(data)
        return
      default:
        if (typeof frame?.type !== 'string') this.malformedCount += 1
        else this.emit({ type: 'opaque', dialect: dialectId, name: frame.type, value: frame })
    }
  }

  private onMessageStart(message: Json): void {
    this.usage = laterUsage(this.usage ?? {}, message.usage ?? {})
    this.blocks = []
    if (typeof message.stop_reason === 'string' && message.stop_reason !== '')
      this.announcedEnd = message
    if (this.hasStarted) return
    this.hasStarted = true
    const event: ChatEvent = { type: 'start', id: message.id ?? '', model: message.model ?? '' }
    const tier = tierOf(message.usage)
    if (tier !== undefined) event.tier = tier
    if (hasFields(message.usage)) event.reportedUsage = reportedOf(message.usage)
    const unknownFields = unknownFieldsOf(message, answerKeys, dialectId)
    if (unknownFields) event.unknownFields = unknownFields
    this.emit(event)
    // Some vendors send the first blocks inside this frame.
    for (const block of filledIn(message.content)) this.blocks.push(this.openPart(block))
  }

  /** Indexes may have gaps. */
  private openBlock(index: unknown, block: Json): void {
    const { blocks } = this
    const isNew = typeof index === 'number' && index > blocks.length && index < indexMax
    blocks[isNew ? index : blocks.length] = this.openPart(block)
  }

  private openPart(block: Json): number {
    const part = decodeBlock(withText(block))
    const index = this.partTypes.push(part.type) - 1
    // Deltas without an index look like those of the part before.
    this.template = dataTemplate()
    // A streamed tool call opens with an empty object in place of its input.
    if (part.type === 'tool-call' && part.input === '{}') part.input = ''
    this.hasToolCall ||= part.type === 'tool-call'
    this.emit({ type: 'part', index, part })
    return index
  }

  /**
   * Finds the part that a delta extends; undefined for none. Relays leave out the index, or the start of the next block, and
   * send texts within a block of another type.
   */
  private partOf(blockIndex: unknown, delta: Json): number | undefined {
    const { blocks } = this
    const at = typeof blockIndex === 'number' ? blockIndex : Math.max(0, blocks.length - 1)
    const type = deltaTypes[delta?.type]
    const found = blocks[at]
    if (!type || (found === undefined && at !== blocks.length)) return found
    const partType = found === undefined ? undefined : this.partTypes[found]
    if (partType === type || partType === 'opaque') return found
    const last = this.partTypes.length - 1
    // More input of the call may follow.
    if (partType === 'tool-call')
      return this.partTypes[last] === type ? last : this.openPart({ type, [type]: '' })
    blocks[at] = this.openPart({ type, [type]: '' })
    return blocks[at]
  }

  private onDelta(blockIndex: unknown, delta: Json, data: string): void {
    const index = this.partOf(blockIndex, delta)
    if (index === undefined) {
      this.malformedCount += 1
      return
    }
    switch (delta?.type) {
      case 'text_delta':
        this.onTextDelta(index, delta, 'text', data)
        return
      case 'input_json_delta':
        if (delta.partial_json) this.onTextDelta(index, delta, 'partial_json', data)
        return
      case 'thinking_delta':
        this.onTextDelta(index, delta, 'thinking', data)
        return
      case 'signature_delta': {
        if (!delta.signature) return
        const signature = decodeSignature(stringOf(delta.signature), dialectId)
        this.emit({ type: 'signature', index, signature })
        return
      }
      case 'citations_delta':
        if (isEmpty(delta.citation)) return
        this.emit({ type: 'citation', index, citation: decodeCitation(delta.citation) })
        return
      case 'compaction_delta':
        this.onCompactionDelta(index, delta)
        return
      default: {
        const value = { index, delta }
        this.emit({ type: 'opaque', dialect: dialectId, name: 'content_block_delta', value })
      }
    }
  }

  private onTextDelta(index: number, delta: Json, key: string, data: string): void {
    const text = stringOf(delta[key])
    this.emit({ type: 'delta', index, text })
    this.template.remember(data, key, text)
    this.templateIndex = index
  }

  private onCompactionDelta(index: number, delta: Json): void {
    if (typeof delta.content === 'string') this.emit({ type: 'delta', index, text: delta.content })
    const unknownFields = unknownFieldsOf(delta, compactionKeys, dialectId)
    if (unknownFields) this.emit({ type: 'unknown-fields', choice: 0, index, unknownFields })
  }

  private onMessageDelta(frame: Json): void {
    const { delta } = frame
    if (frame.usage) this.usage = laterUsage(this.usage ?? {}, frame.usage)
    const ofFrame = unknownFieldsOf(frame, frameKeys, dialectId)
    const ofDelta = unknownFieldsOf(delta, deltaKeys, dialectId)
    const fields = { ...ofFrame?.fields, ...ofDelta?.fields }
    if (ofFrame || ofDelta)
      this.emit({ type: 'unknown-fields', unknownFields: { dialect: dialectId, fields } })
    if (typeof delta?.stop_reason === 'string' && delta.stop_reason !== '') this.emitFinish(delta)
  }

  private emitFinish({ stop_reason, stop_sequence }: Json): void {
    this.hasFinished = true
    const finish = finishOf(stop_reason, stop_sequence, this.hasToolCall)
    this.emit({ type: 'finish', finish })
  }

  private onError(data: string): void {
    const unknownFields = { dialect: dialectId, fields: { body: data } } as const
    const failure = { ...decodeFault(Buffer.from(data)), unknownFields }
    this.finish({ type: 'failure', failure })
  }

  private finish(event: ChatEvent): void {
    this.isOver = true
    if (event.type === 'end' && !this.hasFinished && this.announcedEnd.stop_reason !== undefined)
      this.emitFinish(this.announcedEnd)
    if (hasFields(this.usage)) this.emit({ type: 'usage', reportedUsage: reportedOf(this.usage) })
    this.emit(event)
  }
}

const parse = (data: string): Json => {
  try {
    return JSON.parse(data) ?? undefined
  } catch {
    return undefined
  }
}
