import { type Frame, parse } from './frames.ts'
import { innerError, openaiError } from './openai-error.ts'
import {
  any,
  by,
  count,
  fields,
  flag,
  many,
  number,
  object,
  one,
  orNull,
  type Rule,
  text,
  words,
} from './shape.ts'
import type { Wire } from './wire.ts'

// https://platform.openai.com/docs/api-reference/responses/object and /responses-streaming

const usage = fields({
  input_tokens: count,
  input_tokens_details: fields({ cached_tokens: count, 'cache_write_tokens?': count }),
  output_tokens: count,
  output_tokens_details: fields({ reasoning_tokens: count }),
  total_tokens: count,
})

const annotation = by('type', {
  url_citation: fields({
    type: words,
    url: words,
    title: text,
    start_index: count,
    end_index: count,
  }),
})

const logprob: Rule = fields({
  token: text,
  logprob: number,
  bytes: many(count),
  top_logprobs: many(object),
})

const part = by('type', {
  output_text: fields({
    type: words,
    text,
    annotations: many(annotation),
    'logprobs?': many(logprob),
  }),
  refusal: fields({ type: words, refusal: text }),
  summary_text: fields({ type: words, text }),
  reasoning_text: fields({ type: words, text }),
})

const status = one('in_progress', 'completed', 'incomplete')
const call = { type: words, id: words, 'status?': status, call_id: words, name: words }

const item = by('type', {
  message: fields({
    ...{ type: words, id: words, status, role: one('assistant'), content: many(part) },
    'phase?': orNull(words),
  }),
  reasoning: fields({
    ...{ type: words, id: words, summary: many(part), 'content?': many(part) },
    ...{ 'encrypted_content?': orNull(words), 'status?': status },
  }),
  function_call: fields({ ...call, arguments: text }),
  custom_tool_call: fields({ ...call, input: text }),
  image_generation_call: fields({
    ...{ type: words, id: words, status: words, result: orNull(words), 'output_format?': words },
  }),
})

/** Fields of the request that the response repeats. */
const upstreamRequest = {
  'background?': orNull(flag),
  instructions: orNull(any),
  max_output_tokens: orNull(count),
  'max_tool_calls?': orNull(count),
  metadata: orNull(object),
  parallel_tool_calls: flag,
  previous_response_id: orNull(words),
  'prompt_cache_key?': orNull(words),
  'prompt_cache_retention?': orNull(words),
  reasoning: orNull(object),
  'safety_identifier?': orNull(words),
  'service_tier?': orNull(words),
  store: flag,
  temperature: orNull(number),
  'frequency_penalty?': number,
  'presence_penalty?': number,
  text: object,
  tool_choice: any,
  tools: many(object),
  'top_logprobs?': orNull(count),
  top_p: orNull(number),
  truncation: orNull(words),
  'user?': orNull(words),
}

const responseOf = (state: Rule, usage: Rule) =>
  fields({
    ...upstreamRequest,
    id: words,
    object: one('response'),
    created_at: count,
    'completed_at?': orNull(count),
    status: state,
    error: orNull(fields({ code: words, message: words })),
    incomplete_details: orNull(fields({ reason: one('max_output_tokens', 'content_filter') })),
    model: words,
    output: many(item),
    'usage?': usage,
  })

const ended = responseOf(one('completed', 'incomplete'), orNull(usage))
const begun = responseOf(one('in_progress', 'queued'), orNull(usage))

const place = { output_index: count, item_id: words }
const numbered = (rest: Readonly<Record<string, Rule>>): Rule =>
  fields({ type: words, sequence_number: count, ...rest })
const delta = numbered({ ...place, delta: words, 'obfuscation?': text })
const inPart = (rest: Readonly<Record<string, Rule>>) =>
  numbered({ ...place, content_index: count, ...rest })
const inSummary = (rest: Readonly<Record<string, Rule>>) =>
  numbered({ ...place, summary_index: count, ...rest })

/** The gateway breaks off where it does not know which number comes next. */
const failure = (rest: Readonly<Record<string, Rule>>): Rule =>
  fields({ type: words, 'sequence_number?': count, ...rest })

const failed: ReadonlySet<string> = new Set(['error', 'response.failed'])

const events: Readonly<Record<string, Rule>> = {
  'response.created': numbered({ response: begun }),
  'response.in_progress': numbered({ response: begun }),
  'response.completed': numbered({ response: ended }),
  'response.incomplete': numbered({ response: ended }),
  'response.output_item.added': numbered({ output_index: count, item }),
  'response.output_item.done': numbered({ output_index: count, item }),
  'response.content_part.added': inPart({ part }),
  'response.content_part.done': inPart({ part }),
  'response.output_text.delta': inPart({
    delta: words,
    logprobs: many(object),
    'obfuscation?': text,
  }),
  'response.output_text.done': inPart({ text, logprobs: many(object) }),
  'response.output_text.annotation.added': inPart({ annotation_index: count, annotation }),
  'response.refusal.delta': inPart({ delta: words }),
  'response.refusal.done': inPart({ refusal: words }),
  'response.reasoning_text.delta': inPart({ delta: words }),
  'response.reasoning_text.done': inPart({ text }),
  'response.reasoning_summary_part.added': inSummary({ part }),
  'response.reasoning_summary_part.done': inSummary({ part }),
  'response.reasoning_summary_text.delta': inSummary({ delta: words }),
  'response.reasoning_summary_text.done': inSummary({ text }),
  'response.function_call_arguments.delta': delta,
  'response.function_call_arguments.done': numbered({ ...place, arguments: text, 'name?': words }),
  'response.custom_tool_call_input.delta': delta,
  'response.custom_tool_call_input.done': numbered({ ...place, input: text }),
  keepalive: numbered({}),
  // As the vendor sends it: https://github.com/openai/openai-node reads `error`, Codex the failed response.
  error: failure({ error: innerError }),
  'response.failed': failure({ response: object }),
}

type Item = { id: string; type: string } & Record<string, unknown>
type Event = {
  type: string
  sequence_number: number
  output_index?: number
  item_id?: string
  item?: Item
  response?: { id: string; output: Item[]; usage?: Usage | null }
  delta?: string
}
type Usage = { input_tokens: number; output_tokens: number; total_tokens: number }

const adds = (usage: Usage | null | undefined): string[] =>
  !usage || usage.input_tokens + usage.output_tokens === usage.total_tokens
    ? []
    : ['usage does not add up']

const whole = (body: unknown): string[] => {
  const problems = ended(body, 'answer')
  return problems.length > 0 ? problems : adds((body as { usage?: Usage | null }).usage)
}

const stream = (frames: readonly Frame[]): string[] => {
  const all = frames.map(each => parse(each.data)) as Event[]
  const shape = all.flatMap((each, at) => [
    ...by('type', events)(each, `event ${at}`),
    ...(each?.sequence_number === at || failed.has(each?.type)
      ? []
      : [`event ${at} has number ${each?.sequence_number}`]),
    ...(frames[at]?.event === each?.type ? [] : [`event ${at} is named ${frames[at]?.event}`]),
  ])
  if (shape.length > 0) return shape
  const content = all.filter(each => each.type !== 'keepalive')
  const last = content.at(-1)
  if (failed.has(last?.type ?? '')) return []
  const order = content.map(each => each.type)
  if (
    !/^response\.created,response\.in_progress,.*response\.(completed|incomplete)$/.test(
      order.join(),
    )
  )
    return [`the events are ${order.join(', ')}`]
  const ids = new Set(content.flatMap(each => each.response?.id ?? []))
  return [
    ...(ids.size === 1 ? [] : ['the answer changes its id']),
    ...adds(last?.response?.usage),
    ...itemsIn(content.slice(2, -1), last?.response?.output ?? []),
  ]
}

/** One item after the other, each added, streamed and done; and those are what the answer holds in the end. */
const itemsIn = (content: readonly Event[], output: readonly Item[]): string[] => {
  const problems: string[] = []
  const done: Item[] = []
  let open: { id: string; text: string; parts: number } | undefined
  for (const each of content) {
    const isHere = each.output_index === done.length
    if (!isHere) problems.push(`${each.type} at ${each.output_index}, not at ${done.length}`)
    if (each.type === 'response.output_item.added') {
      if (open) problems.push('an item begins within another')
      open = { id: each.item?.id ?? '', text: '', parts: 0 }
    } else if (!open) problems.push(`${each.type} outside of an item`)
    else if (each.type === 'response.output_item.done') {
      problems.push(...endOf(open, each.item))
      if (each.item) done.push(each.item)
      open = undefined
    } else {
      if (each.item_id !== open.id) problems.push(`${each.type} of ${each.item_id}`)
      if (/part\.added$/.test(each.type)) open.parts += 1
      if (/part\.done$/.test(each.type)) open.parts -= 1
      open.text += each.delta ?? ''
    }
  }
  const isSame = JSON.stringify(done) === JSON.stringify(output)
  return [...problems, ...(isSame ? [] : ['the answer does not hold the items that were told'])]
}

/** The completed item contains the text of its deltas. */
const endOf = (open: { id: string; text: string; parts: number }, item: Item | undefined) => {
  const texts = [item?.arguments, item?.input, ...textsIn(item?.content), ...textsIn(item?.summary)]
  const text = texts.filter(each => typeof each === 'string').join('')
  return [
    ...(item?.id === open.id ? [] : [`item ${open.id} ends as ${item?.id}`]),
    ...(open.parts === 0 ? [] : [`a part of ${open.id} is not closed`]),
    ...(text === open.text ? [] : [`${open.id} is “${text}”, streamed “${open.text}”`]),
  ]
}

const textsIn = (parts: unknown): unknown[] =>
  Array.isArray(parts) ? parts.map(each => each.text ?? each.refusal) : []

export const openaiResponses: Wire = { whole, stream, error: openaiError }
