import type { ChatEvent, Part } from '../canon.ts'
import { listOf, stringOf } from '../decode-values.ts'
import type { StreamDecoder } from '../dialect.ts'
import type { Json } from '../json/json.ts'
import { decodeCitation } from './citations.ts'
import { decodeBlock, redactedPart } from './content-blocks.ts'
import { decodeFault } from './errors.ts'
import { fieldsOf, finishOf, reportedOf } from './response.ts'

const dialectId = 'converse'

/** A block that is emitted as one part at its end: an image, or a call or result of a server tool. */
type BufferedBlock = { block: Json; deltas: Json[] }

/**
 * Frames are named after their event. Only blocks of tools and images announce their start.
 * https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_ConverseStream.html
 */
export const decodeFrames = (emit: (event: ChatEvent) => void): StreamDecoder =>
  new ConverseStreamDecoder(emit)

class ConverseStreamDecoder implements StreamDecoder {
  private readonly emitEvent: (event: ChatEvent) => void
  private malformedCount = 0
  private isOver = false
  private hasStarted = false
  private hasFinished = false
  private isPartDone = false
  private hasMetadata = false
  private partCount = 0
  /** The part that receives deltas, which is the last one. */
  private openPart: { block: unknown; type: Part['type'] } | undefined
  private buffered: BufferedBlock | undefined

  constructor(emit: (event: ChatEvent) => void) {
    this.emitEvent = emit
  }

  pushFrame(data: string, event: string): void {
    if (this.isOver) return
    const frame = parse(data)
    if (frame === undefined) this.malformedCount += 1
    else if (event === 'error') this.onError(data)
    else this.onFrame(event, frame)
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

  private onFrame(event: string, frame: Json): void {
    switch (event) {
      case 'contentBlockDelta':
        this.isPartDone = false
        this.onDelta(frame)
        return
      case 'contentBlockStart':
        this.onBlockStart(frame)
        return
      case 'contentBlockStop':
        this.flushBuffered()
        this.openPart = undefined
        this.isPartDone = true
        return
      case 'messageStart':
        return
      case 'messageStop':
        this.onMessageStop(frame)
        return
      case 'metadata':
        this.onMetadata(frame)
        return
      case '':
        this.malformedCount += 1
        return
      default:
        this.emit({ type: 'opaque', dialect: dialectId, name: event, value: frame })
    }
  }

  private emit(event: ChatEvent): void {
    if (!this.hasStarted) this.emitEvent({ type: 'start', id: '', model: '' })
    this.hasStarted = true
    this.emitEvent(event)
  }

  private emitText(index: number, text: string): void {
    if (text !== '') this.emit({ type: 'delta', index, text })
  }

  /** Opens a part and returns its index. */
  private emitPart(block: unknown, part: Part): number {
    this.flushBuffered()
    this.openPart = { block, type: part.type }
    const index = this.partCount
    this.emit({ type: 'part', index, part })
    this.partCount += 1
    return index
  }

  private flushBuffered(): void {
    if (!this.buffered) return
    const { block, deltas } = this.buffered
    this.buffered = undefined
    this.emitPart(undefined, decodeBlock(assembleBlock(block, deltas)))
  }

  /** Returns the index of the part for a delta, opening `empty` unless the open part matches. */
  private partFor(block: unknown, empty: Part): number {
    const { openPart } = this
    return openPart?.block === block && openPart?.type === empty.type
      ? this.partCount - 1
      : this.emitPart(block, empty)
  }

  private onBlockStart({ contentBlockIndex, start }: Json): void {
    this.flushBuffered()
    this.openPart = undefined
    if (start?.toolUse && start.toolUse.type !== 'server_tool_use') {
      const { toolUseId, name } = start.toolUse
      const call = { id: stringOf(toolUseId), name: stringOf(name), input: '' }
      this.emitPart(contentBlockIndex, { type: 'tool-call', ...call })
    } else if (start?.toolUse || start?.toolResult || start?.image)
      this.buffered = { block: start, deltas: [] }
  }

  private onDelta({ contentBlockIndex, delta }: Json): void {
    const { openPart } = this
    if (this.buffered) this.buffered.deltas.push(delta)
    else if (typeof delta?.text === 'string')
      this.emitText(this.partFor(contentBlockIndex, { type: 'text', text: '' }), delta.text)
    else if (delta?.reasoningContent) this.onReasoning(contentBlockIndex, delta.reasoningContent)
    else if (delta?.citation) {
      const index = this.partFor(contentBlockIndex, { type: 'text', text: '' })
      this.emit({ type: 'citation', index, citation: decodeCitation(delta.citation) })
    } else if (
      delta?.toolUse &&
      openPart?.type === 'tool-call' &&
      openPart.block === contentBlockIndex
    )
      this.emitText(this.partCount - 1, stringOf(delta.toolUse.input))
    else this.malformedCount += 1
  }

  private onReasoning(block: unknown, { text, signature, redactedContent }: Json): void {
    if (typeof redactedContent === 'string') {
      this.emitPart(block, redactedPart(redactedContent))
      return
    }
    const index = this.partFor(block, { type: 'thinking', text: '' })
    if (typeof text === 'string') this.emitText(index, text)
    if (stringOf(signature) !== '')
      this.emit({ type: 'signature', index, signature: { dialect: dialectId, text: signature } })
  }

  private onMessageStop(frame: Json): void {
    this.flushBuffered()
    this.hasFinished = true
    this.emitUnknownFields(frame)
    this.emit({ type: 'finish', finish: finishOf(frame.stopReason) })
    this.endIfComplete()
  }

  private onMetadata(frame: Json): void {
    this.hasMetadata = true
    this.emitUnknownFields(frame)
    if (frame.usage) this.emit({ type: 'usage', reportedUsage: reportedOf(frame.usage, frame) })
    this.endIfComplete()
  }

  private emitUnknownFields(frame: Json): void {
    const fields = fieldsOf(frame)
    if (fields) this.emit({ type: 'unknown-fields', unknownFields: { dialect: dialectId, fields } })
  }

  /** The metadata frame may come before or after the stop frame. */
  private endIfComplete(): void {
    if (this.hasFinished && this.hasMetadata) this.finish({ type: 'end' })
  }

  private onError(data: string): void {
    const unknownFields = { dialect: dialectId, fields: { body: data } } as const
    const failure = { ...decodeFault(Buffer.from(data)), unknownFields }
    this.finish({ type: 'failure', failure })
  }

  private finish(event: ChatEvent): void {
    this.flushBuffered()
    this.isOver = true
    this.emit(event)
  }
}

/** Builds the block as a response without streaming contains it. */
const assembleBlock = (block: Json, deltas: readonly Json[]): Json => {
  const { image, toolUse, toolResult } = block
  if (image) {
    const bytes = deltas.map(each => Buffer.from(stringOf(each?.image?.source?.bytes), 'base64'))
    return { image: { ...image, source: { bytes: Buffer.concat(bytes).toString('base64') } } }
  }
  if (toolUse) {
    const input = deltas.map(each => stringOf(each?.toolUse?.input)).join('')
    return { toolUse: { ...toolUse, input } }
  }
  return {
    toolResult: { ...toolResult, content: deltas.flatMap(each => listOf(each?.toolResult)) },
  }
}

const parse = (data: string): Json => {
  try {
    const value: unknown = JSON.parse(data)
    return typeof value === 'object' && value !== null ? value : undefined
  } catch {
    return undefined
  }
}
