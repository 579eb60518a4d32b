import {
  type ChatEvent,
  type Citation,
  encodeSignature,
  type Finish,
  type OpaquePart,
  type Part,
  type ReportedUsage,
  type Signature,
} from '../../canon.ts'
import type { StreamEncoder } from '../../dialect.ts'
import type { Json } from '../../json/json.ts'
import { ownFields } from '../../unknown-fields.ts'
import { warningCollector } from '../../warnings.ts'
import { encodeCitation } from '../citations.ts'
import { encodeBlocks } from '../content-blocks.ts'
import { encodeReported, stopReasonOf } from '../response.ts'

const dialectId = 'anthropic'

/** Kind of the deltas of the open block; '' without an open block, or for one without deltas. */
type DeltaKind = '' | 'text' | 'thinking' | 'input' | 'custom' | 'content'

export const encodeEvents = (): StreamEncoder => new AnthropicStreamEncoder()

/** Blocks never overlap and their numbers have no gaps, which some clients rely on. */
class AnthropicStreamEncoder implements StreamEncoder {
  private readonly collector = warningCollector(dialectId)
  readonly warnings = this.collector.list
  private blockCount = 0
  private isBlockOpen = false
  private deltaKind: DeltaKind = ''
  /** Common start of all deltas of the open block. */
  private deltaPrefix = ''
  private hasStarted = false
  private isOver = false
  private tier: string | undefined
  private reportedUsage: ReportedUsage | undefined
  private finish: Finish | undefined
  private isRefusal = false
  /** Response fields that arrive after the start; `message_delta` carries them. */
  private lateFields: Record<string, unknown> = {}

  push(event: ChatEvent): string {
    if (this.isOver) return ''
    // This dialect has a single choice.
    if ('choice' in event && event.choice) {
      this.collector.warnDropped('n')
      return ''
    }
    switch (event.type) {
      case 'delta':
        if (event.logprobs) this.collector.warnDropped('logprobs')
        return this.encodeText(event.text)
      case 'part':
        return this.openPart(event.part)
      case 'signature':
        return this.encodeSignature(event.signature)
      case 'citation':
        return this.encodeCitation(event.citation)
      case 'start':
        return this.start(event)
      case 'usage':
        this.reportedUsage = event.reportedUsage
        return ''
      case 'finish':
        this.finish = event.finish
        return ''
      case 'unknown-fields':
        return this.onUnknownFields(event)
      case 'opaque':
        return this.onOpaque(event)
      case 'end':
        return this.end()
      case 'failure':
        return this.fail(event)
      default:
        return ''
    }
  }

  private start(event: ChatEvent & { type: 'start' }): string {
    this.hasStarted = true
    this.collector.warnForeignFields(event.unknownFields)
    this.tier = event.tier
    this.reportedUsage = event.reportedUsage
    const message = {
      id: event.id,
      type: 'message',
      role: 'assistant',
      model: event.model,
      content: [],
      stop_reason: null,
      stop_sequence: null,
      usage: encodeReported(event.reportedUsage, this.tier),
      ...ownFields(event.unknownFields, dialectId),
    }
    return `event: message_start\ndata: ${JSON.stringify({ type: 'message_start', message })}\n\n`
  }

  private openPart(part: Part): string {
    const signature = (part.type === 'text' || part.type === 'tool-call') && part.signature
    const signatureBlock = signature
      ? this.openBlock({ type: 'redacted_thinking', data: encodeSignature(signature, dialectId) })
      : ''
    switch (part.type) {
      case 'text': {
        if (part.logprobs) this.collector.warnDropped('logprobs')
        this.isRefusal ||= part.refusal === true
        const start = this.openBlock({ type: 'text', text: '', ...this.fieldsOf(part) })
        this.deltaKind = 'text'
        let citations = ''
        for (const citation of part.citations ?? []) citations += this.encodeCitation(citation)
        return signatureBlock + start + citations + this.encodeText(part.text)
      }
      case 'thinking':
        return part.redacted ? this.openWhole(part) : this.openThinking(part)
      case 'tool-call': {
        const { id, name } = part
        const block = { type: 'tool_use', id, name, input: {}, ...this.fieldsOf(part) }
        const start = this.openBlock(block)
        this.deltaKind = part.custom ? 'custom' : 'input'
        const head = part.custom ? this.delta('input_json_delta', 'partial_json', '{"input":"') : ''
        return signatureBlock + start + head + this.encodeText(part.input)
      }
      default:
        return this.openWhole(part)
    }
  }

  private openThinking(part: Part & { type: 'thinking' }): string {
    const block = { type: 'thinking', thinking: '', signature: '', ...this.fieldsOf(part) }
    const start = this.openBlock(block)
    this.deltaKind = 'thinking'
    const text = this.encodeText(part.text)
    return start + text + (part.signature ? this.encodeSignature(part.signature) : '')
  }

  /** Opens a block that is complete, or whose deltas extend `input` or `content`. */
  private openWhole(part: Part): string {
    const isOpaque = part.type === 'opaque'
    const parts = [isOpaque ? withoutStreamedText(part) : part]
    const [block] = encodeBlocks(parts, 'answer', this.collector)
    // Closing the block drops the deltas of a part that this dialect cannot express.
    if (!block) return this.closeBlock()
    const start = this.openBlock(block)
    if (!isOpaque) return start
    this.deltaKind =
      block.input !== undefined ? 'input' : block.type === 'compaction' ? 'content' : ''
    return start + this.encodeText(part.streamedText ?? '')
  }

  private fieldsOf(part: Part): Record<string, unknown> | undefined {
    this.collector.warnForeignFields(part.unknownFields)
    return ownFields(part.unknownFields, dialectId)
  }

  private openBlock(block: Json): string {
    const closed = this.closeBlock()
    const index = this.blockCount
    this.isBlockOpen = true
    this.blockCount += 1
    const frame = { type: 'content_block_start', index, content_block: block }
    this.deltaPrefix = `event: content_block_delta\ndata: {"type":"content_block_delta","index":${index},"delta":{"type":"`
    return `${closed}event: content_block_start\ndata: ${JSON.stringify(frame)}\n\n`
  }

  private closeBlock(): string {
    if (!this.isBlockOpen) return ''
    const tail =
      this.deltaKind === 'custom' ? this.delta('input_json_delta', 'partial_json', '"}') : ''
    this.isBlockOpen = false
    this.deltaKind = ''
    return `${tail}event: content_block_stop\ndata: {"type":"content_block_stop","index":${this.blockCount - 1}}\n\n`
  }

  private delta(type: string, field: string, text: string): string {
    return `${this.deltaPrefix}${type}","${field}":${JSON.stringify(text)}}}\n\n`
  }

  private encodeText(text: string): string {
    if (text === '') return ''
    switch (this.deltaKind) {
      case 'text':
        return this.delta('text_delta', 'text', text)
      case 'thinking':
        return this.delta('thinking_delta', 'thinking', text)
      case 'input':
        return this.delta('input_json_delta', 'partial_json', text)
      case 'custom':
        return this.delta('input_json_delta', 'partial_json', JSON.stringify(text).slice(1, -1))
      case 'content':
        return this.delta('compaction_delta', 'content', text)
      default:
        return ''
    }
  }

  private encodeSignature(signature: Signature): string {
    const { dialect, text } = signature
    if (this.deltaKind === 'thinking')
      return this.delta('signature_delta', 'signature', encodeSignature(signature, dialectId))
    if (dialect === dialectId) return ''
    // The leading colon marks a signature that follows its part.
    const data = encodeSignature({ dialect, text: `:${text}` }, dialectId)
    return this.openBlock({ type: 'redacted_thinking', data })
  }

  private encodeCitation(citation: Citation): string {
    const encoded = encodeCitation(citation, 'answer')
    if (encoded === undefined || this.deltaKind !== 'text') {
      this.collector.warnDropped('citations')
      return ''
    }
    return `${this.deltaPrefix}citations_delta","citation":${JSON.stringify(encoded)}}}\n\n`
  }

  private onUnknownFields({
    index,
    unknownFields,
  }: ChatEvent & { type: 'unknown-fields' }): string {
    this.collector.warnForeignFields(unknownFields)
    const fields = ownFields(unknownFields, dialectId)
    if (!fields) return ''
    if (index === undefined) this.lateFields = { ...this.lateFields, ...fields }
    else if (this.deltaKind === 'content')
      return `${this.deltaPrefix}compaction_delta",${JSON.stringify(fields).slice(1)}}\n\n`
    return ''
  }

  private onOpaque({ dialect, name, value }: ChatEvent & { type: 'opaque' }): string {
    if (dialect !== dialectId) {
      this.collector.warnDropped(name)
      return ''
    }
    if (name !== 'content_block_delta') return `event: ${name}\ndata: ${JSON.stringify(value)}\n\n`
    if (!this.isBlockOpen) return ''
    const { delta } = value as Json
    return `${this.deltaPrefix.slice(0, -'{"type":"'.length)}${JSON.stringify(delta)}}\n\n`
  }

  private end(): string {
    this.isOver = true
    const started = this.hasStarted ? '' : this.start({ type: 'start', id: '', model: '' })
    const { finish } = this
    const { stop_details, container, ...fields } = this.lateFields
    const frame = {
      type: 'message_delta',
      delta: {
        stop_reason: finish ? stopReasonOf(finish, this.isRefusal) : 'end_turn',
        stop_sequence: finish?.sequence ?? null,
        ...(stop_details === undefined ? {} : { stop_details }),
        ...(container === undefined ? {} : { container }),
      },
      ...fields,
      usage: encodeReported(this.reportedUsage, this.tier),
    }
    return `${started}${this.closeBlock()}event: message_delta\ndata: ${JSON.stringify(frame)}\n\nevent: message_stop\ndata: {"type":"message_stop"}\n\n`
  }

  private fail({ failure }: ChatEvent & { type: 'failure' }): string {
    this.isOver = true
    const { message, type } = failure
    const error = { type: type || 'api_error', message }
    return `event: error\ndata: ${JSON.stringify({ type: 'error', error })}\n\n`
  }
}

const withoutStreamedText = ({ streamedText, ...part }: OpaquePart): Part => part
