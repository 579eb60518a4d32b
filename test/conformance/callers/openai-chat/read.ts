import type OpenAI from 'openai'
import type { ClientResponse } from '../../cell.ts'
import {
  definedFields,
  type Finish,
  type Logprob,
  nonEmpty,
  type Piece,
  type Source,
  type Usage,
} from '../../neutral.ts'

type Detail = { text?: string; summary?: string; signature?: string; data?: string; index?: number }
type Image = { image_url: { url: string } }

/** https://ai.google.dev/gemini-api/docs/thought-signatures, in this dialect. */
type Signed = { extra_content?: { google?: { thought_signature?: string } } }

/** The client's type, and the fields that other vendors added to the dialect. */
type More = Signed & { reasoning_content?: string; reasoning_details?: Detail[]; images?: Image[] }
type Message = OpenAI.ChatCompletionMessage & More
type Choice = Omit<OpenAI.ChatCompletion.Choice, 'message'> & { message: Message }
export type Completion = Omit<OpenAI.ChatCompletion, 'choices'> & { choices: Choice[] }

const finishes: Readonly<Record<string, Finish>> = {
  stop: 'stop',
  length: 'length',
  tool_calls: 'tools',
  content_filter: 'filter',
}

export const readCompletion = (completion: Completion): ClientResponse => {
  const [first, ...others] = completion.choices
  const { usage, service_tier: tier } = completion
  const { brand_new_answer } = completion as { brand_new_answer?: unknown }
  const logprobs = first?.logprobs?.content?.map(logprobOf)
  const finish = finishes[first?.finish_reason ?? '']
  return {
    native: first?.message,
    pieces: first ? piecesOf(first.message) : [],
    ...(others.length > 0 ? { others: others.map(each => piecesOf(each.message)) } : {}),
    ...(finish ? { finish } : {}),
    ...(usage ? { usage: usageOf(usage) } : {}),
    ...(logprobs ? { logprobs } : {}),
    ...(tier ? { tier } : {}),
    ...(brand_new_answer ? { unknown: { brand_new_answer } } : {}),
  }
}

const logprobOf = ({ token, logprob }: Logprob): Logprob => ({ token, logprob })

const piecesOf = (message: Message): Piece[] => [
  ...thoughtsOf(message),
  ...(message.content ? [wordsOf(message.content, message)] : []),
  ...(message.refusal ? [{ refusal: message.refusal }] : []),
  ...(message.images ?? []).map(({ image_url }) => ({ image: mediaOf(image_url.url) })),
  ...(message.audio ? [soundOf(message.audio)] : []),
  ...(message.tool_calls ?? []).flatMap(callOf),
]

const wordsOf = (text: string, message: Message): Piece => {
  const sources = (message.annotations ?? []).map(
    ({ url_citation: { url, title } }): Source => ({ url, title }),
  )
  return definedFields({ text, sources: nonEmpty(sources), signature: proofIn(message) })
}

const proofIn = ({ extra_content }: Signed) => extra_content?.google?.thought_signature

const thoughtsOf = ({ reasoning_content, reasoning_details = [] }: Message): Piece[] => {
  if (reasoning_details.length === 0)
    return reasoning_content ? [{ thinking: reasoning_content }] : []
  return reasoning_details.map(({ text, summary, signature, data }) => ({
    thinking: data ? '' : text || summary || (reasoning_content ?? ''),
    ...(signature || data ? { signature: signature ?? data } : {}),
    ...(data ? { hidden: true as const } : {}),
  }))
}

const mediaOf = (url: string) => {
  const [, mime = '', data] = /^data:([^;]+);base64,(.*)$/s.exec(url) ?? []
  return data ? { mime, data } : { mime: 'image/*', url }
}

const soundOf = ({ data, transcript }: { data: string; transcript: string }): Piece => ({
  audio: { mime: 'audio/pcm', data, ...(transcript ? { transcript } : {}) },
})

const callOf = (call: OpenAI.ChatCompletionMessageToolCall & Signed): Piece[] => {
  if (call.type !== 'function') return []
  const { name, arguments: text } = call.function
  const input: Record<string, unknown> = JSON.parse(text || '{}')
  return [definedFields({ call: name, id: call.id, input, signature: proofIn(call) })]
}

/** Cached tokens are counted inside the prompt, thinking tokens inside the completion. */
const usageOf = (usage: OpenAI.CompletionUsage): Usage => {
  const { prompt_tokens_details: prompt, completion_tokens_details: completion } = usage
  const cacheRead = prompt?.cached_tokens ?? 0
  const cacheWrite = prompt?.cache_write_tokens ?? 0
  const reasoning = completion?.reasoning_tokens ?? 0
  return {
    input: usage.prompt_tokens - cacheRead - cacheWrite,
    output: usage.completion_tokens - reasoning,
    ...(cacheRead ? { cacheRead } : {}),
    ...(cacheWrite ? { cacheWrite } : {}),
    ...(reasoning ? { reasoning } : {}),
  }
}

type Delta = OpenAI.ChatCompletionChunk.Choice.Delta & More & Pick<Message, 'annotations'>
type Call = NonNullable<Delta['tool_calls']>[number] & Signed

/** Joins the chunks of a call by their index, as the API reference describes. */
export const sumOf = () => {
  let completion = { choices: [] as Choice[] } as unknown as Completion
  let inputPieces = 0

  const addCall = (message: Message, { index, id, function: called, extra_content }: Call) => {
    message.tool_calls ??= []
    message.tool_calls[index] ??= {
      id: '',
      type: 'function',
      function: { name: '', arguments: '' },
    }
    const call = message.tool_calls[index]
    if (call.type !== 'function') return
    if (called?.arguments) inputPieces += 1
    if (extra_content) Object.assign(call, { extra_content })
    call.id ||= id ?? ''
    call.function.name += called?.name ?? ''
    call.function.arguments += called?.arguments ?? ''
  }

  const addDelta = (message: Message, delta: Delta) => {
    if (delta.content) message.content = (message.content ?? '') + delta.content
    if (delta.refusal) message.refusal = (message.refusal ?? '') + delta.refusal
    if (delta.reasoning_content)
      message.reasoning_content = (message.reasoning_content ?? '') + delta.reasoning_content
    for (const detail of delta.reasoning_details ?? []) addDetail(message, detail)
    for (const call of delta.tool_calls ?? []) addCall(message, call)
    if (delta.extra_content) message.extra_content = delta.extra_content
    if (delta.images) message.images = [...(message.images ?? []), ...delta.images]
    if (delta.annotations)
      message.annotations = [...(message.annotations ?? []), ...delta.annotations]
    if (delta.audio) {
      const { data = '', transcript = '', id = '', expires_at = 0 } = message.audio ?? {}
      const more = {
        ...{ id, expires_at },
        data: data + (delta.audio.data ?? ''),
        transcript: transcript + (delta.audio.transcript ?? ''),
      }
      message.audio = { ...message.audio, ...delta.audio, ...more }
    }
  }

  return {
    add: ({ choices, ...rest }: OpenAI.ChatCompletionChunk) => {
      completion = { ...completion, ...(rest as object) }
      for (const { index, delta, finish_reason, logprobs } of choices) {
        completion.choices[index] ??= {
          index,
          message: { role: 'assistant', content: null, refusal: null },
        } as Choice
        const choice = completion.choices[index]
        addDelta(choice.message, delta)
        if (finish_reason) choice.finish_reason = finish_reason
        const tokens = logprobs?.content ?? []
        if (tokens.length > 0)
          choice.logprobs = {
            content: [...(choice.logprobs?.content ?? []), ...tokens],
            refusal: null,
          }
      }
    },
    completion: () => completion,
    inputPieces: () => inputPieces,
  }
}

/** https://openrouter.ai/docs/guides/best-practices/reasoning-tokens: details of one index belong together. */
const addDetail = (message: Message, detail: Detail) => {
  message.reasoning_details ??= []
  const known = message.reasoning_details.find(each => each.index === detail.index)
  if (!known) message.reasoning_details.push({ ...detail })
  else Object.assign(known, detail, { text: (known.text ?? '') + (detail.text ?? '') })
}
