import {
  type Citation,
  encodeSignature,
  type Logprob,
  type MediaPart,
  type OpaquePart,
  type Part,
  type Signature,
  type TextPart,
  type ThinkingPart,
  type ToolCallPart,
  type UnknownFields,
} from '../canon.ts'
import type { Json } from '../json/json.ts'
import type { WarningCollector } from '../warnings.ts'
import { pieceEventOf, pieceFormatOf, reasoningText } from './content-pieces.ts'
import { annotationOf, dialectId, encodeLogprob, type Item, ownFields } from './items.ts'
import type { DeclaredTools } from './namespaces.ts'
import { searchArguments } from './request/tool-search.ts'

type OpenItem = {
  item: Item
  /** The open content part or summary; undefined in an item without them. */
  piece: Json
  /** The index of the piece in its list. */
  at: number
  /** The next part of the same kind continues the item. */
  isExtensible: boolean
  /** The call was declared as a custom tool, so its input is unwrapped at the end. */
  isWrapped: boolean
  /** The text of the arguments so far, where the item has them as an object. */
  argumentsText?: string
}

export type ItemWriterOptions = {
  warnings: WarningCollector
  /** Receives each stream event without its sequence number. */
  emit: (type: string, fields: Json) => void
  /** Absent for items of a request, which keep their own id or have none. */
  idOf?: (prefix: string, index: number) => string
  declaredTools: DeclaredTools
}

/**
 * Writes parts as items, and emits the stream events of each. A complete response, and the history in a request, are the
 * same items without the events.
 */
export class ItemWriter {
  readonly items: Item[] = []
  private readonly warnings: WarningCollector
  private readonly emit: (type: string, fields: Json) => void
  private readonly idOf: ItemWriterOptions['idOf']
  private readonly declaredTools: DeclaredTools
  private open: OpenItem | undefined

  constructor({ warnings, emit, idOf, declaredTools }: ItemWriterOptions) {
    this.warnings = warnings
    this.emit = emit
    this.idOf = idOf
    this.declaredTools = declaredTools
  }

  addPart(part: Part): void {
    this.warnings.warnForeignFields(part.unknownFields)
    if (part.cache) this.warnings.warnDropped('cache_control')
    if (part.type === 'text') this.addText(part)
    else if (part.type === 'thinking') this.addThinking(part)
    else if (part.type === 'tool-call') this.addCall(part)
    else if (part.type === 'media') this.addImage(part)
    else if (part.type === 'opaque' && part.dialect === dialectId) this.addOpaque(part)
    else this.drop(part.type === 'opaque' ? itemTypeOf(part.value) : part.type)
  }

  addDelta(text: string, logprobs?: readonly Logprob[]): void {
    if (!this.open || text === '') return
    const { item, piece, isWrapped, argumentsText } = this.open
    if (argumentsText !== undefined) this.open.argumentsText = argumentsText + text
    else if (piece) this.extendPiece(this.open, text, logprobs)
    else if (item.type === 'function_call') {
      item.arguments += text
      this.emitForItem('response.function_call_arguments.delta', { delta: text })
    } else if (item.type === 'custom_tool_call') {
      item.input += text
      if (!isWrapped) this.emitForItem('response.custom_tool_call_input.delta', { delta: text })
    } else if (item.type === 'image_generation_call') item.result += text
  }

  addCitation(citation: Citation): void {
    const annotation = annotationOf(citation)
    if (!annotation || this.open?.piece?.type !== 'output_text') {
      this.warnings.warnDropped('citations')
      return
    }
    const { annotations } = this.open.piece
    annotations.push(annotation)
    this.emitForItem('response.output_text.annotation.added', {
      content_index: this.open.at,
      annotation_index: annotations.length - 1,
      annotation,
    })
  }

  addSignature(signature: Signature): void {
    const { open } = this
    if (open?.item.type !== 'reasoning' || (!this.idOf && signature.dialect !== dialectId)) {
      this.warnings.warnDropped('signature')
      return
    }
    open.item.encrypted_content = encodeSignature(signature, dialectId)
    open.isExtensible = false
  }

  /** Adds late fields to the open item, or to its piece. */
  addUnknownFields(unknownFields: UnknownFields): void {
    this.warnings.warnForeignFields(unknownFields)
    const { item: itemFields, ...fields } = ownFields(unknownFields)
    if (!this.open) return
    const { kind, ...late } = itemFields ?? {}
    Object.assign(this.open.item, late)
    if (this.open.piece) Object.assign(this.open.piece, fields)
    else if (!itemFields) Object.assign(this.open.item, fields)
  }

  /** Forwards an event of this dialect that reports the progress of an item. */
  addProgress(type: string, fields: Json): void {
    const isOfItem = 'output_index' in fields
    if (isOfItem && !this.open) return
    this.emit(type, isOfItem ? { ...fields, output_index: this.items.length } : fields)
  }

  close(): void {
    if (!this.open) return
    this.closePiece(this.open)
    const { item } = this.open
    this.emit('response.output_item.done', { output_index: this.items.length, item })
    this.items.push(item)
    this.open = undefined
  }

  private emitForItem(type: string, fields: Json): void {
    const { id } = this.open!.item
    this.emit(type, { item_id: id, output_index: this.items.length, ...fields })
  }

  private openItem(item: Item, prefix: string, itemFields: Json): OpenItem {
    this.close()
    const id = itemFields.id ?? this.idOf?.(prefix, this.items.length)
    const { kind, ...fields } = itemFields
    const whole = { ...(id === undefined ? {} : { id }), ...item, ...fields }
    this.open = {
      item: whole,
      piece: undefined,
      at: -1,
      isExtensible: false,
      isWrapped: false,
    }
    // An opaque item keeps its own status.
    const hasStatus = prefix !== 'item' && 'status' in item
    const added = this.idOf && hasStatus ? { ...whole, status: 'in_progress' } : whole
    this.emit('response.output_item.added', { output_index: this.items.length, item: added })
    return this.open
  }

  /** Ends a text, a summary, or the arguments of a call. */
  private closePiece(open: OpenItem): void {
    const { item, piece, at } = open
    if (open.isWrapped) this.unwrapInput(item)
    // The dialect has no events for the arguments of a search.
    if (open.argumentsText !== undefined) item.arguments = searchArguments(open.argumentsText)
    if (item.type === 'function_call') {
      const { name, arguments: json } = item
      this.emitForItem('response.function_call_arguments.done', { name, arguments: json })
    } else if (item.type === 'custom_tool_call')
      this.emitForItem('response.custom_tool_call_input.done', { input: item.input })
    if (!piece) return
    const { doneEvent, indexKey } = pieceFormatOf(piece)
    const { type, annotations, ...fields } = piece
    this.emitForItem(doneEvent, { [indexKey]: at, ...fields })
    this.emitForItem(`${pieceEventOf(piece)}.done`, { [indexKey]: at, part: piece })
    open.piece = undefined
  }

  private unwrapInput(item: Item): void {
    item.input = unwrapped(item.input)
    this.emitForItem('response.custom_tool_call_input.delta', { delta: item.input })
  }

  private openPiece(open: OpenItem, list: Json[], piece: Json): void {
    if (open.piece) this.closePiece(open)
    list.push(piece)
    open.piece = piece
    open.at = list.length - 1
    const { indexKey } = pieceFormatOf(piece)
    this.emitForItem(`${pieceEventOf(piece)}.added`, { [indexKey]: open.at, part: piece })
  }

  private extendPiece({ piece, at }: OpenItem, text: string, logprobs?: readonly Logprob[]): void {
    const { textKey, deltaEvent, indexKey } = pieceFormatOf(piece)
    piece[textKey] += text
    const encoded = logprobs?.map(encodeLogprob) ?? []
    if (piece.type === 'output_text') piece.logprobs.push(...encoded)
    this.emitForItem(deltaEvent, {
      [indexKey]: at,
      delta: text,
      ...(piece.type === 'output_text' ? { logprobs: encoded } : {}),
    })
  }

  /** Closes the open item, because later deltas belong to the dropped part and not to that item. */
  private drop(name: string): void {
    this.close()
    this.warnings.warnDropped(name)
  }

  private addText(part: TextPart): void {
    const { item: itemFields, ...fields } = ownFields(part.unknownFields)
    let { open } = this
    if (itemFields || open?.item.type !== 'message' || !open.isExtensible) {
      const message = { type: 'message', ...this.status(), role: 'assistant', content: [] }
      open = this.openItem(message, 'msg', itemFields ?? {})
      open.isExtensible = true
    }
    this.openPiece(
      open,
      open.item.content,
      part.refusal
        ? { type: 'refusal', refusal: '', ...fields }
        : { type: 'output_text', annotations: [], logprobs: [], text: '', ...fields },
    )
    this.addDelta(part.text, part.logprobs)
    for (const citation of part.citations ?? []) this.addCitation(citation)
    if (part.signature) this.warnings.warnDropped('signature')
  }

  private addThinking(part: ThinkingPart): void {
    const { item: itemFields, of: list } = ownFields(part.unknownFields)
    const isOwn = part.signature?.dialect === dialectId || itemFields !== undefined
    let { open } = this
    const isContinued = open?.item.type === 'reasoning' && open.isExtensible
    // An upstream of this dialect cannot use foreign reasoning without a signature.
    if (!this.idOf && !isOwn && !isContinued) {
      this.drop('thinking')
      return
    }
    if (!open || itemFields || !isContinued) {
      open = this.openItem({ type: 'reasoning', summary: [] }, 'rs', itemFields ?? {})
      open.isExtensible = true
    }
    if (!part.redacted) {
      const { item } = open
      if (list === 'content') item.content ??= []
      if (list === 'content') this.openPiece(open, item.content, reasoningText())
      else this.openPiece(open, item.summary, { type: 'summary_text', text: '' })
      this.addDelta(part.text)
    }
    if (part.signature) this.addSignature(part.signature)
  }

  private addCall(part: ToolCallPart): void {
    const itemFields = ownFields(part.unknownFields).item ?? {}
    // A call has no field for a signature, so a separate reasoning item before it carries the signature.
    if (part.signature && this.idOf) {
      if (this.open) this.open.isExtensible = false
      this.addThinking({ type: 'thinking', text: '', redacted: true, signature: part.signature })
    } else if (part.signature) this.warnings.warnDropped('signature')
    const isOwn = itemFields.namespace !== undefined
    const declared = isOwn ? undefined : this.declaredTools.get(part.name)
    const isWrapped = !part.custom && declared?.custom === true
    const { name = part.name, namespace } = declared ?? {}
    if (declared?.isSearch) {
      this.addSearch(part, itemFields)
      return
    }
    const qualifier = namespace === undefined ? {} : { namespace }
    const head = { ...this.status(), call_id: part.id, name, ...qualifier }
    const open =
      part.custom || isWrapped
        ? this.openItem({ type: 'custom_tool_call', ...head, input: '' }, 'ctc', itemFields)
        : this.openItem({ type: 'function_call', ...head, arguments: '' }, 'fc', itemFields)
    open.isWrapped = isWrapped
    this.addDelta(part.input)
  }

  /** A call of the function that stands for the caller's search of tools. */
  private addSearch({ id, input }: ToolCallPart, itemFields: Json): void {
    const head = { ...this.status(), call_id: id, execution: 'client', arguments: {} }
    this.openItem({ type: 'tool_search_call', ...head }, 'tsc', itemFields).argumentsText = input
  }

  private addImage(part: MediaPart): void {
    const { kind, ...itemFields } = ownFields(part.unknownFields).item ?? {}
    const isImage = part.base64 !== undefined && part.mime.startsWith('image/')
    if (!isImage || (!this.idOf && !kind)) {
      this.drop(part.mime.split('/')[0]!)
      return
    }
    const format = kind ? {} : { output_format: part.mime.slice('image/'.length) }
    const item = { type: 'image_generation_call', status: 'completed', ...format, result: null }
    this.openItem(item, 'ig', itemFields).item.result = part.base64
  }

  private addOpaque({ value, unknownFields, streamedText }: OpaquePart): void {
    const { id, ...item } = { ...(value as Json), ...ownFields(unknownFields) }
    if (streamedText !== undefined) this.warnings.warnDropped(`${item.type}`)
    this.openItem(item, 'item', id === undefined ? {} : { id })
  }

  /** Items of a response have a status; those of a request need none. */
  private status(): Json {
    return this.idOf ? { status: 'completed' } : {}
  }
}

const itemTypeOf = (value: Json): string =>
  String(value?.type ?? Object.keys(value ?? {})[0] ?? 'part')

const unwrapped = (json: string): string => {
  try {
    const { input } = JSON.parse(json)
    return typeof input === 'string' ? input : json
  } catch {
    return json
  }
}
