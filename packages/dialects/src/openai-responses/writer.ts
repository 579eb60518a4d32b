import {
  type Citation,
  encodeSignature,
  type Logprob,
  type MediaPart,
  type Part,
  type Signature,
  type TextPart,
  type ThinkingPart,
  type ToolCallPart,
  type UnknownFields,
} from '../canon.ts'
import type { Json } from '../json.ts'
import type { WarningCollector } from '../warnings.ts'
import { annotationOf, encodeLogprob, type Item, own, ownFields } from './items.ts'

/** An event of the stream; the writer's user adds its number. */
export type Emit = (type: string, fields: Json) => void

type Open = {
  item: Item
  /** What of the item is being told: the content part, or the summary; undefined for an item without such. */
  piece?: Json
  at: number
  /** The item goes on with the next part of its kind. */
  isExtensible: boolean
  /** The arguments of a call that was declared as another kind: told when they are whole. */
  isWrapped: boolean
}

/**
 * Tells the parts of one answer as items, event by event; `items` are the whole ones. A whole answer and the history in
 * a request are the same items told to nobody.
 */
export const makeWriter = ({
  warnings,
  emit,
  idOf,
  customNames,
}: {
  warnings: WarningCollector
  emit: Emit
  /** Absent: items of a history, which have an id only if they had one. */
  idOf?: (prefix: string, index: number) => string
  customNames: ReadonlySet<string>
}) => {
  const items: Item[] = []
  let open: Open | undefined

  const say = (type: string, fields: Json): void =>
    emit(type, { item_id: open!.item.id, output_index: items.length, ...fields })

  const openItem = (item: Item, prefix: string, marks: Json) => {
    close()
    const id = marks.id ?? idOf?.(prefix, items.length)
    const { kind, ...rest } = marks
    const whole = { ...(id === undefined ? {} : { id }), ...item, ...rest }
    open = { item: whole, at: -1, isExtensible: false, isWrapped: false }
    // An item of another kind is told as it is: what of it comes later is its own dialect's affair.
    const isOurs = prefix !== 'item' && 'status' in item
    const begun = idOf && isOurs ? { ...whole, status: 'in_progress' } : whole
    emit('response.output_item.added', { output_index: items.length, item: begun })
  }

  const close = () => {
    if (!open) return
    closePiece()
    emit('response.output_item.done', { output_index: items.length, item: open.item })
    items.push(open.item)
    open = undefined
  }

  /** The end of a text, a summary, or the arguments of a call. */
  const closePiece = () => {
    const { item, piece, at } = open!
    if (open!.isWrapped) unwrap()
    if (item.type === 'function_call')
      say('response.function_call_arguments.done', { name: item.name, arguments: item.arguments })
    else if (item.type === 'custom_tool_call')
      say('response.custom_tool_call_input.done', { input: item.input })
    if (!piece) return
    const { done, index } = wordsFor(piece)
    const { type, annotations, ...said } = piece
    say(done, { [index]: at, ...said })
    say(`${frameFor(piece)}.done`, { [index]: at, part: piece })
    open!.piece = undefined
  }

  /** What is left out ends what was open all the same: its words are not the words of what stands before it. */
  const skip = (name: string) => {
    close()
    warnings.warnDropped(name)
  }

  const unwrap = () => {
    open!.item.input = unwrapped(open!.item.input)
    say('response.custom_tool_call_input.delta', { delta: open!.item.input })
  }

  const openPiece = (list: Json[], piece: Json) => {
    if (open!.piece) closePiece()
    list.push(piece)
    open!.piece = piece
    open!.at = list.length - 1
    say(`${frameFor(piece)}.added`, { [wordsFor(piece).index]: open!.at, part: piece })
  }

  const text = (part: TextPart) => {
    const { item: marks, ...rest } = ownFields(part.unknownFields)
    if (marks || open?.item.type !== 'message' || !open.isExtensible) {
      openItem(
        { type: 'message', ...statusOf(idOf), role: 'assistant', content: [] },
        'msg',
        marks ?? {},
      )
      open!.isExtensible = true
    }
    openPiece(
      open!.item.content,
      part.refusal
        ? { type: 'refusal', refusal: '', ...rest }
        : { type: 'output_text', annotations: [], logprobs: [], text: '', ...rest },
    )
    delta(part.text, part.logprobs)
    for (const citation of part.citations ?? []) cite(citation)
    if (part.signature) warnings.warnDropped('signature')
  }

  const thinking = (part: ThinkingPart) => {
    const { item: marks, of } = ownFields(part.unknownFields)
    const isOwn = part.signature?.dialect === own || marks !== undefined
    // Without its proof a foreign thought means nothing to this dialect's upstream.
    const isOpen = open?.item.type === 'reasoning' && open.isExtensible
    if (!idOf && !isOwn && !isOpen) return skip('thinking')
    if (marks || !isOpen) {
      openItem({ type: 'reasoning', summary: [] }, 'rs', marks ?? {})
      open!.isExtensible = true
    }
    if (!part.redacted) {
      const { item } = open!
      if (of === 'content') item.content ??= []
      if (of === 'content') openPiece(item.content, { type: 'reasoning_text', text: '' })
      else openPiece(item.summary, { type: 'summary_text', text: '' })
      delta(part.text)
    }
    if (part.signature) prove(part.signature)
  }

  const prove = (signature: Signature) => {
    if (open?.item.type !== 'reasoning') return warnings.warnDropped('signature')
    if (!idOf && signature.dialect !== own) return warnings.warnDropped('signature')
    open.item.encrypted_content = encodeSignature(signature, own)
    open.isExtensible = false
  }

  const call = (part: ToolCallPart) => {
    const marks = ownFields(part.unknownFields).item ?? {}
    // A call has no place for a proof; a reasoning item before it has.
    if (part.signature && idOf) {
      // In an item of its own: it is the call's, not of the thought before it.
      if (open) open.isExtensible = false
      thinking({ type: 'thinking', text: '', redacted: true, signature: part.signature })
    } else if (part.signature) warnings.warnDropped('signature')
    const isWrapped = !part.custom && customNames.has(part.name)
    const isCustom = part.custom || isWrapped
    const head = { call_id: part.id, name: part.name }
    if (isCustom)
      openItem({ type: 'custom_tool_call', ...statusOf(idOf), ...head, input: '' }, 'ctc', marks)
    else openItem({ type: 'function_call', ...statusOf(idOf), ...head, arguments: '' }, 'fc', marks)
    open!.isWrapped = isWrapped
    delta(part.input)
  }

  const image = (part: MediaPart) => {
    const { kind, ...marks } = ownFields(part.unknownFields).item ?? {}
    const isTold = part.base64 !== undefined && part.mime.startsWith('image/')
    if (!isTold || (!idOf && !kind)) return skip(part.mime.split('/')[0]!)
    const format = kind ? {} : { output_format: part.mime.slice('image/'.length) }
    openItem(
      { type: 'image_generation_call', status: 'completed', ...format, result: null },
      'ig',
      marks,
    )
    open!.item.result = part.base64
  }

  const opaque = (
    value: Json,
    unknownFields: UnknownFields | undefined,
    grown: string | undefined,
  ) => {
    const { id, ...item } = { ...value, ...ownFields(unknownFields) }
    if (grown !== undefined) warnings.warnDropped(`${item.type}`)
    openItem(item, 'item', id === undefined ? {} : { id })
  }

  const delta = (said: string, logprobs?: readonly Logprob[]) => {
    if (!open || said === '') return
    const { item, piece, at } = open
    if (piece) {
      const { field, step, index } = wordsFor(piece)
      piece[field] += said
      const told = logprobs?.map(encodeLogprob) ?? []
      if (piece.type === 'output_text') piece.logprobs.push(...told)
      say(step, {
        [index]: at,
        delta: said,
        ...(piece.type === 'output_text' ? { logprobs: told } : {}),
      })
    } else if (item.type === 'function_call') {
      item.arguments += said
      say('response.function_call_arguments.delta', { delta: said })
    } else if (item.type === 'custom_tool_call') {
      item.input += said
      if (!open.isWrapped) say('response.custom_tool_call_input.delta', { delta: said })
    } else if (item.type === 'image_generation_call') item.result += said
  }

  const cite = (citation: Citation) => {
    const annotation = annotationOf(citation)
    if (!annotation || open?.piece?.type !== 'output_text') return warnings.warnDropped('citations')
    const { annotations } = open.piece
    annotations.push(annotation)
    say('response.output_text.annotation.added', {
      content_index: open.at,
      annotation_index: annotations.length - 1,
      annotation,
    })
  }

  return {
    items,
    close,
    delta,
    cite,
    prove,
    part: (part: Part) => {
      warnings.warnForeignFields(part.unknownFields)
      if (part.cache) warnings.warnDropped('cache_control')
      if (part.type === 'text') text(part)
      else if (part.type === 'thinking') thinking(part)
      else if (part.type === 'tool-call') call(part)
      else if (part.type === 'media') image(part)
      else if (part.type === 'opaque' && part.dialect === own)
        opaque(part.value, part.unknownFields, part.streamedText)
      else skip(part.type === 'opaque' ? kindOf(part.value) : part.type)
    },
    /** Fields of the open item, or of its part, that came later. */
    unknownFields: (unknownFields: UnknownFields) => {
      warnings.warnForeignFields(unknownFields)
      const { item: marks, ...rest } = ownFields(unknownFields)
      if (!open) return
      const { kind, ...late } = marks ?? {}
      Object.assign(open.item, late)
      if (open.piece) Object.assign(open.piece, rest)
      else if (!marks) Object.assign(open.item, rest)
    },
    /** A frame of the dialect itself that tells how an item goes on. */
    progress: (type: string, fields: Json) => {
      if ('output_index' in fields && !open) return
      emit(type, 'output_index' in fields ? { ...fields, output_index: items.length } : fields)
    },
  }
}

type Words = { field: string; step: string; done: string; index: string }

const words: Readonly<Record<string, Words>> = {
  output_text: wordsOf('text', 'response.output_text', 'content_index'),
  refusal: wordsOf('refusal', 'response.refusal', 'content_index'),
  summary_text: wordsOf('text', 'response.reasoning_summary_text', 'summary_index'),
  reasoning_text: wordsOf('text', 'response.reasoning_text', 'content_index'),
}

function wordsOf(field: string, event: string, index: string): Words {
  return { field, step: `${event}.delta`, done: `${event}.done`, index }
}

const wordsFor = (piece: Json): Words => words[piece.type]!

const frameFor = (piece: Json): string =>
  piece.type === 'summary_text' ? 'response.reasoning_summary_part' : 'response.content_part'

/** Items of an answer say that they are whole; those of a history need not. */
const statusOf = (idOf: unknown): Json => (idOf ? { status: 'completed' } : {})

const kindOf = (value: Json): string => String(value?.type ?? Object.keys(value ?? {})[0] ?? 'part')

const unwrapped = (json: string): string => {
  try {
    const { input } = JSON.parse(json)
    return typeof input === 'string' ? input : json
  } catch {
    return json
  }
}
