import { type Frame, parse } from './frames.ts'
import {
  any,
  by,
  count,
  fields,
  many,
  object,
  one,
  orNull,
  type Rule,
  text,
  words,
} from './shape.ts'
import type { Wire } from './wire.ts'

// https://platform.claude.com/docs/en/api/messages and /docs/en/build-with-claude/streaming

const usage = fields({
  input_tokens: count,
  output_tokens: count,
  cache_creation_input_tokens: count,
  cache_read_input_tokens: count,
  'cache_creation?': fields({ ephemeral_5m_input_tokens: count, ephemeral_1h_input_tokens: count }),
  'output_tokens_details?': fields({ thinking_tokens: count }),
  'server_tool_use?': any,
  'service_tier?': words,
})

const citation = by('type', {
  web_search_result_location: fields({
    ...{ type: words, url: words, title: orNull(text), encrypted_index: text, cited_text: text },
  }),
})

const blocks: Readonly<Record<string, Rule>> = {
  text: fields({ type: words, text, 'citations?': orNull(many(citation, 1)) }),
  thinking: fields({ type: words, thinking: text, signature: text }),
  redacted_thinking: fields({ type: words, data: words }),
  tool_use: fields({ type: words, id: words, name: words, input: object }),
  image: fields({ type: words, source: any }),
}

const reasons = [
  ...['end_turn', 'max_tokens', 'stop_sequence', 'tool_use', 'pause_turn', 'refusal'],
] as const

const messageOf = (content: Rule, reason: Rule) =>
  fields({
    id: words,
    type: one('message'),
    role: one('assistant'),
    model: words,
    content,
    stop_reason: reason,
    stop_sequence: orNull(words),
    'stop_details?': any,
    usage,
  })

const error = fields({
  type: one('error'),
  error: fields({ type: words, message: words, 'code?': words }),
  request_id: words,
})

const deltas: Readonly<Record<string, Rule>> = {
  text_delta: fields({ type: words, text: words }),
  thinking_delta: fields({ type: words, thinking: words }),
  signature_delta: fields({ type: words, signature: words }),
  citations_delta: fields({ type: words, citation }),
  input_json_delta: fields({ type: words, partial_json: text }),
}

/** Which deltas belong to which block. */
const deltasOf: Readonly<Record<string, readonly string[]>> = {
  text: ['text_delta', 'citations_delta'],
  thinking: ['thinking_delta', 'signature_delta'],
  tool_use: ['input_json_delta'],
}

const events: Readonly<Record<string, Rule>> = {
  message_start: fields({ type: words, message: messageOf(many(any), one(null)) }),
  content_block_start: fields({ type: words, index: count, content_block: by('type', blocks) }),
  content_block_delta: fields({ type: words, index: count, delta: by('type', deltas) }),
  content_block_stop: fields({ type: words, index: count }),
  message_delta: fields({
    type: words,
    delta: fields({
      stop_reason: one(...reasons),
      stop_sequence: orNull(words),
      'stop_details?': any,
    }),
    usage,
  }),
  message_stop: fields({ type: words }),
  ping: fields({ type: words }),
  error,
}

type Event = {
  type: string
  index: number
  content_block: { type: string; input?: object }
  delta: { type: string; partial_json?: string }
}

const stream = (frames: readonly Frame[]): string[] => {
  const sent = frames.map(each => parse(each.data)) as Event[]
  const problems = sent.flatMap((each, at) => [
    ...by('type', events)(each, `event ${at}`),
    ...(frames[at]?.event === each?.type ? [] : [`event ${at} is named ${frames[at]?.event}`]),
  ])
  if (problems.length > 0) return problems
  const contentEvents = sent.filter(each => each.type !== 'ping')
  if (contentEvents.at(-1)?.type === 'error') return []
  const order = contentEvents.map(each => each.type)
  const middle = contentEvents.slice(1, -2)
  const frame = [order[0], ...order.slice(-2)].join()
  const isFramed =
    frame === 'message_start,message_delta,message_stop' &&
    middle.every(each => each.type.startsWith('content_block'))
  return isFramed ? blocksIn(middle) : [`the events are ${order.join(', ')}`]
}

/** One block after the other, numbered from nothing, each opened, filled with what is its own, and closed. */
const blocksIn = (events: readonly Event[]): string[] => {
  let open: { at: number; type: string; input: string } | undefined
  let next = 0
  const problems: string[] = []
  for (const each of events) {
    if (each.type === 'content_block_start') {
      if (open || each.index !== next) problems.push(`block ${each.index} begins at ${next}`)
      open = { at: each.index, type: each.content_block.type, input: '' }
      next += 1
    } else if (!open || each.index !== open.at) problems.push(`${each.type} of ${each.index}`)
    else if (each.type === 'content_block_stop') {
      if (open.type === 'tool_use' && parse(open.input || '{}') === undefined)
        problems.push(`block ${open.at} has no JSON for input: ${open.input}`)
      open = undefined
    } else if (!deltasOf[open.type]?.includes(each.delta.type))
      problems.push(`a ${each.delta.type} in a ${open.type}`)
    else open.input += each.delta.partial_json ?? ''
  }
  return open ? [...problems, `block ${open.at} is not closed`] : problems
}

export const anthropic: Wire = {
  whole: body => messageOf(many(by('type', blocks)), one(...reasons))(body, 'answer'),
  stream,
  error,
}
