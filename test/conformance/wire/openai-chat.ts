import type { Frame } from './frames.ts'
import { parse } from './frames.ts'
import { openaiError } from './openai-error.ts'
import { by, count, fields, many, nothing, one, orNull, type Rule, text, words } from './shape.ts'
import type { Wire } from './wire.ts'

// https://platform.openai.com/docs/api-reference/chat/object and /chat/streaming; thoughts and images as
// https://openrouter.ai/docs/guides/best-practices/reasoning-tokens has them.

const usage = fields({
  prompt_tokens: count,
  completion_tokens: count,
  total_tokens: count,
  prompt_tokens_details: fields({
    cached_tokens: count,
    audio_tokens: count,
    'cache_write_tokens?': count,
  }),
  completion_tokens_details: fields({
    reasoning_tokens: count,
    audio_tokens: count,
    'accepted_prediction_tokens?': count,
    'rejected_prediction_tokens?': count,
  }),
})

const citation = by('type', {
  url_citation: fields({
    type: words,
    url_citation: fields({ url: words, title: text, start_index: count, end_index: count }),
  }),
})

const detail = by('type', {
  'reasoning.text': fields({
    ...{ type: words, 'text?': text, 'signature?': words, 'id?': orNull(text) },
    ...{ format: words, index: count },
  }),
  'reasoning.encrypted': fields({
    ...{ type: words, data: words, 'id?': orNull(text), format: words, index: count },
  }),
})

/** https://ai.google.dev/gemini-api/docs/openai: signatures of thoughts. */
const more = { 'extra_content?': fields({ google: fields({ thought_signature: words }) }) }

const messageFields = {
  ...more,
  'annotations?': many(citation, 1),
  'reasoning_content?': words,
  'reasoning_details?': many(detail, 1),
  'images?': many(
    fields({ type: one('image_url'), 'index?': count, image_url: fields({ url: words }) }),
    1,
  ),
  'audio?': fields({
    ...{ 'id?': words, 'data?': words, 'transcript?': words, 'expires_at?': count },
  }),
}

const logprob = fields({
  token: text,
  logprob: (value, at) => (Number(value) <= 0 ? [] : [`${at} is no logarithm`]),
  bytes: orNull(many(count)),
  'top_logprobs?': many(fields({ token: text, logprob: () => [], bytes: orNull(many(count)) })),
})
const logprobs = orNull(fields({ content: orNull(many(logprob)), refusal: orNull(many(logprob)) }))

const finishes = ['stop', 'length', 'tool_calls', 'content_filter'] as const

const head = { id: words, created: count, model: words, 'service_tier?': words }

const completion = fields({
  ...head,
  object: one('chat.completion'),
  choices: many(
    fields({
      index: count,
      message: fields({
        role: one('assistant'),
        content: orNull(text),
        refusal: orNull(text),
        ...messageFields,
        'tool_calls?': many(
          fields({
            ...more,
            id: words,
            type: one('function'),
            function: fields({ name: words, arguments: words }),
          }),
          1,
        ),
      }),
      logprobs,
      finish_reason: one(...finishes),
    }),
    1,
  ),
  usage,
})

const chunk = fields({
  ...head,
  object: one('chat.completion.chunk'),
  choices: many(
    fields({
      index: count,
      delta: fields({
        'role?': one('assistant'),
        'content?': orNull(text),
        'refusal?': orNull(text),
        ...messageFields,
        'tool_calls?': many(
          fields({
            ...more,
            index: count,
            'id?': words,
            'type?': one('function'),
            function: fields({ 'name?': words, 'arguments?': text }),
          }),
          1,
        ),
      }),
      'logprobs?': logprobs,
      finish_reason: one(...finishes, null),
    }),
  ),
  'usage?': (value, at) => (value === null ? nothing(value, at) : usage(value, at)),
})

type Chunk = {
  id: string
  model: string
  created: number
  choices: { index: number; delta: Delta; finish_reason: string | null }[]
  usage?: Record<string, number> | null
}
type Call = { index: number; id?: string; function: { name?: string; arguments?: string } }
type Delta = { role?: string; tool_calls?: Call[] }

/** Totals must be right wherever usage is reported. */
const adds: Rule = (value, at) => {
  const { prompt_tokens = 0, completion_tokens = 0, total_tokens } = value as Record<string, number>
  return prompt_tokens + completion_tokens === total_tokens ? [] : [`${at} does not add up`]
}

const whole = (body: unknown): string[] => {
  const problems = completion(body, 'answer')
  if (problems.length > 0) return problems
  const { choices, usage } = body as Chunk
  const isNumbered = choices.every((each, at) => each.index === at)
  return [...(isNumbered ? [] : ['the choices are not numbered']), ...adds(usage, 'answer.usage')]
}

const stream = (frames: readonly Frame[]): string[] => {
  const named = frames.filter(each => each.event).map(each => `a named event: ${each.event}`)
  const last = frames.at(-1)?.data
  const failed = frames.map(each => parse(each.data)).filter(isError)
  const data = frames.filter(each => each.data !== '[DONE]').map(each => parse(each.data))
  const chunks = data.filter(each => !isError(each))
  const shape = [
    ...named,
    ...chunks.flatMap((each, at) => chunk(each, `chunk ${at}`)),
    ...failed.flatMap(each => openaiError(each, 'error')),
  ]
  if (shape.length > 0) return shape
  if (failed.length > 0) return isError(parse(last ?? '')) ? [] : ['something follows the error']
  if (last !== '[DONE]') return ['the stream does not end with [DONE]']
  return ordered(chunks as Chunk[])
}

const isError = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && 'error' in value

const ordered = (chunks: readonly Chunk[]): string[] => {
  const heads = new Set(chunks.map(({ id, model, created }) => `${id} ${model} ${created}`))
  const usages = chunks.flatMap(each => (each.usage ? [each.usage] : []))
  const isLast = chunks.at(-1)?.usage && chunks.at(-1)?.choices.length === 0
  return [
    ...(heads.size > 1 ? ['the chunks are not of one answer'] : []),
    ...(usages.length === 1 && isLast
      ? adds(usages[0], 'usage')
      : ['usage is not sent once, at the end']),
    ...choicesOf(chunks).flatMap(choiceOf),
  ]
}

type Choice = Chunk['choices'][number]

const choicesOf = (chunks: readonly Chunk[]): Choice[][] => {
  const deltas = chunks.flatMap(each => each.choices)
  const count = Math.max(-1, ...deltas.map(each => each.index)) + 1
  return Array.from({ length: Math.max(count, 1) }, (_, index) =>
    deltas.filter(each => each.index === index),
  )
}

const choiceOf = (deltas: readonly Choice[], index: number): string[] => {
  const at = `choice ${index}`
  const roles = deltas.map(({ delta }) => delta.role !== undefined)
  const ends = deltas.map(each => each.finish_reason !== null)
  const calls = deltas.flatMap(({ delta }) => delta.tool_calls ?? [])
  const count = new Set(calls.map(each => each.index)).size
  const isInOrder = calls.every((each, at) => each.index >= (calls[at - 1]?.index ?? 0))
  return [
    ...(isInOrder ? [] : [`${at} mixes its calls`]),
    ...(roles.indexOf(true) === 0 && roles.lastIndexOf(true) === 0
      ? []
      : [`${at} does not begin with its role`]),
    ...(ends.indexOf(true) === deltas.length - 1 ? [] : [`${at} does not end once`]),
    ...Array.from({ length: count }, (_, call) =>
      callOf(
        calls.filter(each => each.index === call),
        `${at}, call ${call}`,
      ),
    ).flat(),
  ]
}

const callOf = (pieces: readonly Call[], at: string): string[] => {
  const [first, ...rest] = pieces
  if (!first?.id || !first.function.name) return [`${at} does not begin with its id and name`]
  if (rest.some(each => each.id && each.id !== first.id)) return [`${at} changes its id`]
  const input = pieces.map(each => each.function.arguments ?? '').join('')
  return parse(input) === undefined ? [`${at} has no JSON for arguments: ${input}`] : []
}

export const openaiChat: Wire = { whole, stream, error: openaiError }
