import type { ChatEvent, Part } from '../../canon.ts'
import type { StreamDecoder } from '../../dialect.ts'
import type { Json } from '../../json/json.ts'
import { citationOf, dialectId, logprobOf, partsOf, unknownFieldsFor } from '../items.ts'
import {
  decodeFinish,
  decodeOtherFields,
  decodeReportedUsage,
  defaultIdOf,
  headOf,
} from '../response.ts'
import { countTools } from '../usage.ts'
import {
  callDeltas,
  closingTypes,
  isBareError,
  isItemFrame,
  isValidFrame,
  pieceStarts,
  pieceTypes,
} from './frames.ts'
import {
  changedFields,
  completeItem,
  hasPiece,
  type OpenItem,
  pieceFieldsOf,
  withoutItemFields,
  withPiece,
} from './open-item.ts'

/** Frames without new content. */
const ignoredTypes = new Set(['response.in_progress', 'response.created'])

/** The item repeats the content of these frames at its end. */
const repeatedTypes = new Set([
  'response.output_text.done',
  'response.refusal.done',
  'response.content_part.done',
  'response.reasoning_summary_text.done',
  'response.reasoning_text.done',
  'response.reasoning_summary_part.done',
  'response.function_call_arguments.done',
  'response.custom_tool_call_input.done',
])

export const decodeFrames = (emit: (event: ChatEvent) => void): StreamDecoder =>
  new ResponsesStreamDecoder(emit)

/** Decodes a stream item by item. Frames of an item wait until the item before it is complete. */
class ResponsesStreamDecoder implements StreamDecoder {
  private readonly emit: (event: ChatEvent) => void
  private head = { id: '', model: '' }
  private otherFields: Json = {}
  private hasBegun = false
  private isOver = false
  private isPartDone = false
  private malformed = 0
  private open: OpenItem | undefined
  /** For the count of sold tools where the last event has no output. */
  private readonly doneItems: Json[] = []
  private waitingFrames: Json[] = []
  private readonly parts: Part[] = []
  private readonly seenIndexes = new Set<number>()
  private readonly seenIds = new Set<string>()

  constructor(emit: (event: ChatEvent) => void) {
    this.emit = emit
  }

  pushFrame(data: string, event: string): void {
    if (this.isOver || data.trim() === '[DONE]') return
    const frame = parse(data)
    if (isBareError(frame)) this.fail(frame.error)
    else if (!isValidFrame(frame)) this.malformed += 1
    else if (event === 'error') this.fail(frame.error ?? frame)
    else this.decode(frame)
  }

  end(): void {
    if (this.isOver) return
    this.fail({
      message: 'The answer ended without its last event.',
      type: 'server_error',
      code: 'stream_broken',
    })
  }

  mayBeComplete(): boolean {
    return this.isPartDone
  }

  malformedFrames(): number {
    return this.malformed
  }

  tools = () => Object.fromEntries(countTools(this.doneItems))

  private decode(frame: Json): void {
    const { type } = frame
    this.isPartDone = type.endsWith('.done')
    if (frame.response && typeof frame.response === 'object') this.begin(frame.response)
    if (type === 'error') this.fail(frame.error ?? frame)
    else if (type === 'response.failed') this.fail(frame.response?.error)
    else if (closingTypes.has(type)) this.finish(frame.response)
    else if (!ignoredTypes.has(type)) {
      this.begin({})
      const index = this.indexOf(frame)
      if (index === undefined) this.emitProgress(frame)
      else if (this.open && index !== this.open.index) this.waitingFrames.push(frame)
      else this.decodeItemFrame(frame, index)
    }
  }

  /** The index of the item of a frame. Without one it is the open item, or the next. */
  private indexOf({ type, output_index: index }: Json): number | undefined {
    if (Number.isInteger(index)) return index
    if (!isItemFrame(type)) return undefined
    const next = this.seenIndexes.size
    return type === 'response.output_item.added' ? next : (this.open?.index ?? next)
  }

  private begin(response: Json): void {
    if (this.hasBegun) return
    this.hasBegun = true
    this.head = headOf(response)
    this.otherFields = decodeOtherFields(response)
    this.emit({ type: 'start', ...this.head, ...unknownFieldsFor(this.otherFields) })
  }

  private decodeItemFrame(frame: Json, index: number): void {
    const { type } = frame
    const { open } = this
    if (type === 'response.output_item.added') {
      if (!open?.isUnannounced) this.openItem(index, frame.item)
    } else if (type === 'response.output_item.done') {
      this.closeItem(open ?? this.openItem(index, frame.item), frame.item)
      this.doneItems.push(frame.item)
    } else if (open && !repeatedTypes.has(type)) this.decodeContentFrame(frame, open)
    else if (pieceTypes[type]) this.decodeContentFrame(frame, this.openUnannounced(index, frame))
  }

  /** Relays leave out the event that opens the item of a text. */
  private openUnannounced(index: number, { type, item_id: id }: Json): OpenItem {
    const item = type.includes('reasoning')
      ? { type: 'reasoning', summary: [] }
      : { type: 'message', role: 'assistant', content: [] }
    return Object.assign(this.openItem(index, { id, ...item }), { isUnannounced: true } as const)
  }

  private decodeContentFrame(frame: Json, open: OpenItem): void {
    const { type } = frame
    const pieceType = pieceTypes[type]
    if (pieceType) {
      if (!hasPiece(open, pieceType, frame.content_index ?? frame.summary_index ?? 0))
        this.openPiece(open, pieceType)
      this.extendPart(open, frame.delta, frame)
    } else if (callDeltas.has(type)) this.extendPart(open, frame.delta)
    else if (pieceStarts.has(type)) {
      if (!open.isUnannounced) this.openPiece(open, frame.part.type, pieceFieldsOf(frame.part))
    } else if (type === 'response.output_text.annotation.added') this.cite(open, frame.annotation)
    else this.emitProgress(frame)
  }

  private emitPart(open: OpenItem, part: Part): void {
    this.emit({ type: 'part', index: this.parts.length, part })
    open.parts.push({ ...part })
    this.parts.push(part)
  }

  private extendPart(open: OpenItem, text: string, frame?: Json): void {
    const part = open.parts.at(-1)
    if (!part || text === '') return
    const logprobs = Array.isArray(frame?.logprobs) ? frame.logprobs.map(logprobOf) : []
    if (part.type === 'tool-call') part.input += text
    else if (part.type === 'text' || part.type === 'thinking') part.text += text
    this.emit({
      type: 'delta',
      index: this.parts.length - 1,
      text,
      ...(logprobs.length > 0 ? { logprobs } : {}),
    })
  }

  private openItem(index: number, item: Json): OpenItem {
    const open: OpenItem = { index, item, parts: [] }
    this.open = open
    this.seenIndexes.add(index)
    if (typeof item.id === 'string') this.seenIds.add(item.id)
    const { type } = item
    if (type === 'function_call' || type === 'custom_tool_call') {
      const [part] = partsOf(item, defaultIdOf(item, this.head.id, index))
      if (part?.type === 'tool-call') this.emitPart(open, { ...part, input: '' })
    } else if (type !== 'message' && type !== 'reasoning' && type !== 'image_generation_call')
      this.emitPart(open, { type: 'opaque', dialect: dialectId, value: item })
    return open
  }

  /** Opens a content part or a summary, at its own frame or at its first delta. */
  private openPiece(open: OpenItem, type: string, fields: Json = {}): void {
    const { item, index, parts } = open
    const piece =
      type === 'refusal' ? { type, ...fields, refusal: '' } : { type, ...fields, text: '' }
    // The first part carries the item's fields, without the status, which is not final yet.
    const { status, ...begun } = withPiece(item, piece)
    const itemSoFar = parts.length > 0 ? withoutItemFields(begun) : begun
    const [part] = partsOf(itemSoFar, defaultIdOf(item, this.head.id, index))
    if (part) this.emitPart(open, part)
  }

  private closeItem(open: OpenItem, item: Json): void {
    const complete = partsOf(item, defaultIdOf(item, this.head.id, open.index))
    for (const [at, part] of complete.entries()) {
      const emitted = open.parts[at]
      if (!emitted) this.emitPart(open, part)
      else if (at === open.parts.length - 1) this.completePart(open, emitted, part)
    }
    this.open = undefined
    const frames = this.waitingFrames
    this.waitingFrames = []
    for (const frame of frames) this.decode(frame)
  }

  /** Emits what the complete part contains and its chunks did not. */
  private completePart(open: OpenItem, emitted: Part, part: Part): void {
    const index = this.parts.length - 1
    if (emitted.type === 'text' && part.type === 'text') {
      this.completeText(open, emitted.text, part.text)
      for (const citation of (part.citations ?? []).slice(emitted.citations?.length ?? 0))
        this.emit({ type: 'citation', index, citation })
    } else if (emitted.type === 'thinking' && part.type === 'thinking') {
      this.completeText(open, emitted.text, part.text)
      if (part.signature) this.emit({ type: 'signature', index, signature: part.signature })
    } else if (emitted.type === 'tool-call' && part.type === 'tool-call')
      this.completeText(open, emitted.input, part.input)
    const late =
      emitted.type === 'opaque' && part.type === 'opaque'
        ? changedFields(emitted.value as Json, part.value as Json)
        : changedFields(emitted.unknownFields?.fields ?? {}, part.unknownFields?.fields ?? {})
    if (Object.keys(late).length > 0)
      this.emit({ type: 'unknown-fields', index, ...lateFields(late) })
  }

  private completeText(open: OpenItem, emitted: string, text: string): void {
    if (text.startsWith(emitted)) this.extendPart(open, text.slice(emitted.length))
  }

  private cite(open: OpenItem, annotation: Json): void {
    const part = open.parts.at(-1)
    if (part?.type !== 'text') return
    const citation = citationOf(annotation)
    part.citations = [...(part.citations ?? []), citation]
    this.emit({ type: 'citation', index: this.parts.length - 1, citation })
  }

  private emitProgress({ type, sequence_number, ...value }: Json): void {
    // An image becomes a part only at its end, so its progress has no part to belong to.
    if (this.open && this.open.parts.length === 0) return
    this.emit({ type: 'opaque', dialect: dialectId, name: type, value })
  }

  private finish(response: Json): void {
    const output: Json[] = Array.isArray(response.output) ? response.output : []
    while (this.open) this.closeItem(this.open, completeItem(this.open, output))
    for (const [at, item] of this.unseenItems(output)) this.closeItem(this.openItem(at, item), item)
    const late = changedFields(this.otherFields, {
      ...decodeOtherFields(response),
      ...changedHead(this.head, headOf(response)),
    })
    if (Object.keys(late).length > 0) this.emit({ type: 'unknown-fields', ...lateFields(late) })
    const reportedUsage = decodeReportedUsage(response, output.length > 0 ? output : this.doneItems)
    if (reportedUsage) this.emit({ type: 'usage', reportedUsage })
    const finish = decodeFinish(response, this.parts)
    if (finish) this.emit({ type: 'finish', finish })
    this.isOver = true
    this.emit({ type: 'end' })
  }

  /** Items that only the last event contains. Vendors number streamed items with gaps, so their ids are compared. */
  private unseenItems(output: readonly Json[]): [number, Json][] {
    const items = [...output.entries()]
    if (output.length <= this.seenIndexes.size) return []
    // Some proxies give an item another id in each event.
    return output.some(each => this.seenIds.has(each?.id))
      ? items.filter(([, item]) => !this.seenIds.has(item?.id))
      : items.filter(([at]) => !this.seenIndexes.has(at))
  }

  private fail(error: Json): void {
    this.isOver = true
    const { message, type, code, param, ...fields } = error ?? {}
    const hasParam = param !== undefined && param !== null
    this.emit({
      type: 'failure',
      failure: {
        message: stringOrNumber(message),
        type: stringOrNumber(type),
        code: stringOrNumber(code),
        ...unknownFieldsFor({ ...(hasParam ? { param } : {}), ...fields }),
      },
    })
  }
}

/** The service tier is known only at the end. */
const changedHead = (before: Json, after: Json): Json => ({
  ...(after.tier !== undefined && after.tier !== before.tier ? { service_tier: after.tier } : {}),
  ...(after.model !== '' && after.model !== before.model ? { model: after.model } : {}),
})

const lateFields = (fields: Json) => ({ unknownFields: { dialect: dialectId, fields } }) as const

const stringOrNumber = (value: unknown): string =>
  typeof value === 'string' || typeof value === 'number' ? String(value) : ''

const parse = (data: string): Json => {
  try {
    return JSON.parse(data)
  } catch {
    return null
  }
}
