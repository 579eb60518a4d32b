import type { ChatEvent, Part } from '../canon.ts'
import type { StreamDecoder } from '../dialect.ts'
import type { Json } from '../json.ts'
import { citationOf, extraOf, logprobOf, own, partsOf } from './items.ts'
import { decodeFinish, decodeReported, decodeRest, defaultIdOf, factsOf } from './reply.ts'

type Emit = (event: ChatEvent) => void

/** The item that is being told, and how much of it was said. */
type Open = { index: number; item: Json; said: Part[] }

/** Frames that say nothing beyond what others say. */
const silent = new Set(['response.in_progress', 'response.created'])

const steps: Readonly<Record<string, string>> = {
  'response.output_text.delta': 'output_text',
  'response.refusal.delta': 'refusal',
  'response.reasoning_summary_text.delta': 'summary_text',
  'response.reasoning_text.delta': 'reasoning_text',
}
const calls = new Set([
  'response.function_call_arguments.delta',
  'response.custom_tool_call_input.delta',
])
const pieces = new Set(['response.content_part.added', 'response.reasoning_summary_part.added'])
/** Told again by the item, whole. */
const echoes = new Set([
  'response.output_text.done',
  'response.refusal.done',
  'response.content_part.done',
  'response.reasoning_summary_text.done',
  'response.reasoning_text.done',
  'response.reasoning_summary_part.done',
  'response.function_call_arguments.done',
  'response.custom_tool_call_input.done',
])
const last = new Set(['response.completed', 'response.incomplete', 'response.cancelled'])

/** Hears a stream item by item: an item that begins before another is whole waits for it. */
export const decodeFrames = (emit: Emit): StreamDecoder => {
  let facts = { id: '', model: '' }
  let rest: Json = {}
  let hasBegun = false
  let hasEnded = false
  let garbage = 0
  let count = 0
  let open: Open | undefined
  let waiting: Json[] = []
  const all: Part[] = []
  const heard = new Set<number>()

  const begin = (response: Json): void => {
    if (hasBegun) return
    hasBegun = true
    facts = factsOf(response)
    rest = decodeRest(response)
    emit({ type: 'start', ...facts, ...extraOf(rest) })
  }

  const say = (part: Part): void => {
    emit({ type: 'part', index: count, part })
    open!.said.push({ ...part })
    all.push(part)
    count += 1
  }

  const grow = (text: string, frame?: Json): void => {
    const part = open!.said.at(-1)
    if (!part || text === '') return
    const logprobs = Array.isArray(frame?.logprobs) ? frame.logprobs.map(logprobOf) : []
    if (part.type === 'tool-call') part.input += text
    else if (part.type === 'text' || part.type === 'thinking') part.text += text
    emit({
      type: 'delta',
      index: count - 1,
      text,
      ...(logprobs.length > 0 ? { logprobs } : {}),
    })
  }

  const onItem = (index: number, item: Json): void => {
    open = { index, item, said: [] }
    heard.add(index)
    const { type } = item
    if (type === 'function_call' || type === 'custom_tool_call') {
      const [part] = partsOf(item, defaultIdOf(item, facts.id, index))
      if (part?.type === 'tool-call') say({ ...part, input: '' })
    } else if (type !== 'message' && type !== 'reasoning' && type !== 'image_generation_call')
      say({ type: 'opaque', dialect: own, value: item })
  }

  /** A content part or a summary begins: at the announcement, or with its first words. */
  const onPiece = (type: string, more: Json = {}): void => {
    const { item, index, said } = open!
    const piece = type === 'refusal' ? { type, ...more, refusal: '' } : { type, ...more, text: '' }
    const of =
      item.type === 'message'
        ? { ...item, content: [piece] }
        : type === 'summary_text'
          ? { ...item, summary: [piece], content: [], encrypted_content: undefined }
          : { ...item, summary: [], content: [piece], encrypted_content: undefined }
    // The item's own fields go with its first part; its state is not yet the last one.
    const { status, ...begun } = of
    const whole = said.length > 0 ? bareOf(begun) : begun
    const [part] = partsOf(whole, defaultIdOf(item, facts.id, index))
    if (part) say(part)
  }

  /** Open reasoning is counted beside its summaries. */
  const isOpenAt = (type: string, at: number): boolean => {
    const { said } = open!
    const contents = said.filter(part => part.unknownFields?.fields.of === 'content').length
    return (type === 'reasoning_text' ? contents : said.length - contents) > at
  }

  const onDone = (item: Json): void => {
    const whole = partsOf(item, defaultIdOf(item, facts.id, open!.index))
    for (const [at, part] of whole.entries()) {
      const said = open!.said[at]
      if (!said) say(part)
      else if (at === open!.said.length - 1) complete(said, part)
    }
    open = undefined
    replay()
  }

  /** What the whole part says and its pieces did not. */
  const complete = (said: Part, part: Part): void => {
    const index = count - 1
    if (said.type === 'text' && part.type === 'text') {
      if (part.text.startsWith(said.text)) grow(part.text.slice(said.text.length))
      for (const citation of (part.citations ?? []).slice(said.citations?.length ?? 0))
        emit({ type: 'citation', index, citation })
    } else if (said.type === 'thinking' && part.type === 'thinking') {
      if (part.text.startsWith(said.text)) grow(part.text.slice(said.text.length))
      if (part.signature) emit({ type: 'signature', index, signature: part.signature })
    } else if (said.type === 'tool-call' && part.type === 'tool-call') {
      if (part.input.startsWith(said.input)) grow(part.input.slice(said.input.length))
    } else if (said.type === 'opaque' && part.type === 'opaque') {
      const late = differing(said.value as Json, part.value as Json)
      if (Object.keys(late).length > 0) emit({ type: 'unknown-fields', index, ...must(late) })
      return
    }
    const late = differing(said.unknownFields?.fields ?? {}, part.unknownFields?.fields ?? {})
    if (Object.keys(late).length > 0) emit({ type: 'unknown-fields', index, ...must(late) })
  }

  const replay = (): void => {
    const frames = waiting
    waiting = []
    for (const frame of frames) hear(frame)
  }

  const onOutput = (frame: Json): void => {
    const { type, output_index: index } = frame
    const step = steps[type]
    if (type === 'response.output_item.added') onItem(index, frame.item)
    else if (type === 'response.output_item.done') {
      if (!open) onItem(index, frame.item)
      onDone(frame.item)
    } else if (!open || echoes.has(type)) return
    else if (step) {
      if (!isOpenAt(step, frame.content_index ?? frame.summary_index ?? 0)) onPiece(step)
      grow(frame.delta, frame)
    } else if (calls.has(type)) grow(frame.delta)
    else if (pieces.has(type)) onPiece(frame.part.type, moreOf(frame.part))
    else if (type === 'response.output_text.annotation.added') cite(frame.annotation)
    else progress(frame)
  }

  const cite = (annotation: Json): void => {
    const part = open!.said.at(-1)
    if (part?.type !== 'text') return
    const citation = citationOf(annotation)
    part.citations = [...(part.citations ?? []), citation]
    emit({ type: 'citation', index: count - 1, citation })
  }

  const progress = ({ type, sequence_number, ...value }: Json): void => {
    // An image is told at its end only; what came before could not be placed.
    if (open && open.said.length === 0) return
    emit({ type: 'opaque', dialect: own, name: type, value })
  }

  const onLast = (response: Json): void => {
    while (open) onDone(response.output?.[open.index] ?? open.item)
    for (const [at, item] of (Array.isArray(response.output) ? response.output : []).entries()) {
      if (heard.has(at)) continue
      onItem(at, item)
      onDone(item)
    }
    const late = differing(rest, {
      ...decodeRest(response),
      ...lateFacts(facts, factsOf(response)),
    })
    if (Object.keys(late).length > 0) emit({ type: 'unknown-fields', ...must(late) })
    const reportedUsage = decodeReported(response)
    if (reportedUsage) emit({ type: 'usage', reportedUsage })
    const finish = decodeFinish(response, all)
    if (finish) emit({ type: 'finish', finish })
    hasEnded = true
    emit({ type: 'end' })
  }

  const fail = (error: Json): void => {
    hasEnded = true
    const { message, type, code, param, ...more } = error ?? {}
    emit({
      type: 'failure',
      failure: {
        message: wordOf(message),
        type: wordOf(type),
        code: wordOf(code),
        ...extraOf({ ...(param === undefined || param === null ? {} : { param }), ...more }),
      },
    })
  }

  const hear = (frame: Json): void => {
    const { type, output_index: index } = frame
    if (frame.response && typeof frame.response === 'object') begin(frame.response)
    if (type === 'error') fail(frame.error ?? frame)
    else if (type === 'response.failed') fail(frame.response?.error)
    else if (last.has(type)) onLast(frame.response)
    else if (!silent.has(type)) {
      begin({})
      if (!Number.isInteger(index)) progress(frame)
      else if (open && index !== open.index) waiting.push(frame)
      else onOutput(frame)
    }
  }

  return {
    pushFrame: (data, event) => {
      if (hasEnded || data.trim() === '[DONE]') return
      const frame = parse(data)
      if (isBareError(frame)) fail(frame.error)
      else if (!isWhole(frame)) garbage += 1
      else if (event === 'error') fail(frame.error ?? frame)
      else hear(frame)
    },
    end: () => {
      if (hasEnded) return
      fail({
        message: 'The answer ended without its last event.',
        type: 'server_error',
        code: 'stream_broken',
      })
    },
    malformedFrames: () => garbage,
  }
}

/** As proxies tell one; the official client throws at any frame with an `error`. */
const isBareError = (frame: Json): boolean => frame?.type === undefined && isObject(frame?.error)

/** Enough of a frame that hearing it cannot fail. */
const isWhole = (frame: Json): boolean => {
  const { type } = frame ?? {}
  if (typeof type !== 'string') return false
  if (type.startsWith('response.output_item.')) return isObject(frame.item)
  if (steps[type] || calls.has(type)) return typeof frame.delta === 'string'
  if (pieces.has(type)) return typeof frame.part?.type === 'string'
  return !last.has(type) || isObject(frame.response)
}

const isObject = (value: Json): boolean =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const moreOf = ({ type, text, refusal, annotations, logprobs, ...more }: Json): Json => more

/** A part that is not the first of its item says nothing of the item. */
const bareOf = ({ type, role, content, summary }: Json): Json =>
  type === 'message' ? { type, role, content } : { type, summary, content }

/** The fields of `after` that `before` has not, or has otherwise. */
const differing = (before: Json, after: Json): Json =>
  Object.fromEntries(
    Object.entries(after).filter(
      ([key, value]) => JSON.stringify(value) !== JSON.stringify(before[key]),
    ),
  )

/** The tier that was used is told at the end. */
const lateFacts = (before: Json, after: Json): Json => ({
  ...(after.tier !== undefined && after.tier !== before.tier ? { service_tier: after.tier } : {}),
  ...(after.model !== '' && after.model !== before.model ? { model: after.model } : {}),
})

const must = (fields: Json) => ({ unknownFields: { dialect: own, fields } }) as const

const wordOf = (value: unknown): string =>
  typeof value === 'string' || typeof value === 'number' ? String(value) : ''

const parse = (data: string): Json => {
  try {
    return JSON.parse(data)
  } catch {
    return null
  }
}
