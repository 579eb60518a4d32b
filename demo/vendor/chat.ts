import type { Answer, VendorRequest } from './index.ts'
import { answerFor, piecesOf, tokensOf } from './texts.ts'

type Frame = { event?: string; data: unknown }
type Completion = { model: string; text: string; input: number; output: number }

/** The beginning and the end of a stream stand around the frames of its pieces. */
type Form = {
  whole(completion: Completion): unknown
  begin(completion: Completion): Frame[]
  piece(text: string): Frame
  end(completion: Completion): Frame[]
}

const created = () => Math.floor(Date.now() / 1_000)
const id = (prefix: string) => `${prefix}${Math.random().toString(36).slice(2, 14)}`

const openai = (): Form => {
  const frame = (delta: object, finish: string | null = null): Frame => ({
    data: {
      ...{ id: 'chatcmpl-demo', object: 'chat.completion.chunk', created: created(), model: '' },
      choices: [{ index: 0, delta, finish_reason: finish }],
    },
  })
  const usageOf = ({ input, output }: Completion) => ({
    ...{ prompt_tokens: input, completion_tokens: output, total_tokens: input + output },
  })
  return {
    whole: completion => ({
      ...{
        id: id('chatcmpl-'),
        object: 'chat.completion',
        created: created(),
        model: completion.model,
      },
      choices: [
        {
          ...{ index: 0, finish_reason: 'stop' },
          message: { role: 'assistant', content: completion.text },
        },
      ],
      usage: usageOf(completion),
    }),
    begin: () => [frame({ role: 'assistant', content: '' })],
    piece: content => frame({ content }),
    end: completion => [
      frame({}, 'stop'),
      {
        data: {
          id: 'chatcmpl-demo',
          object: 'chat.completion.chunk',
          created: created(),
          model: completion.model,
          choices: [],
          usage: usageOf(completion),
        },
      },
      { data: '[DONE]' },
    ],
  }
}

const responses = (): Form => {
  const item = id('msg_')
  const response = id('resp_')
  let sequence = 0
  const event = (type: string, more: object): Frame => ({
    event: type,
    data: { type, sequence_number: sequence++, ...more },
  })
  const message = (text: string, status: string) => ({
    ...{ id: item, type: 'message', role: 'assistant', status },
    content: [{ type: 'output_text', text, annotations: [] }],
  })
  const body = ({ model, text, input, output }: Completion, status: string) => ({
    ...{ id: response, object: 'response', created_at: created(), status, model },
    output: status === 'completed' ? [message(text, 'completed')] : [],
    usage:
      status === 'completed'
        ? { input_tokens: input, output_tokens: output, total_tokens: input + output }
        : null,
  })
  const place = { item_id: item, output_index: 0, content_index: 0 }
  return {
    whole: completion => body(completion, 'completed'),
    begin: completion => [
      event('response.created', { response: body(completion, 'in_progress') }),
      event('response.output_item.added', {
        output_index: 0,
        item: { ...message('', 'in_progress'), content: [] },
      }),
      event('response.content_part.added', {
        ...place,
        part: { type: 'output_text', text: '', annotations: [] },
      }),
    ],
    piece: delta => event('response.output_text.delta', { ...place, delta }),
    end: completion => [
      event('response.output_text.done', { ...place, text: completion.text }),
      event('response.content_part.done', {
        ...place,
        part: { type: 'output_text', text: completion.text, annotations: [] },
      }),
      event('response.output_item.done', {
        output_index: 0,
        item: message(completion.text, 'completed'),
      }),
      event('response.completed', { response: body(completion, 'completed') }),
    ],
  }
}

const anthropic = (): Form => {
  const event = (type: string, more: object = {}): Frame => ({
    event: type,
    data: { type, ...more },
  })
  const message = ({ model, input }: Completion, more: object) => ({
    ...{ id: id('msg_'), type: 'message', role: 'assistant', model, content: [] },
    ...{ stop_reason: null, stop_sequence: null, usage: { input_tokens: input, output_tokens: 1 } },
    ...more,
  })
  return {
    whole: completion =>
      message(completion, {
        content: [{ type: 'text', text: completion.text }],
        stop_reason: 'end_turn',
        usage: { input_tokens: completion.input, output_tokens: completion.output },
      }),
    begin: completion => [
      event('message_start', { message: message(completion, {}) }),
      event('content_block_start', { index: 0, content_block: { type: 'text', text: '' } }),
    ],
    piece: text => event('content_block_delta', { index: 0, delta: { type: 'text_delta', text } }),
    end: ({ output }) => [
      event('content_block_stop', { index: 0 }),
      event('message_delta', {
        delta: { stop_reason: 'end_turn', stop_sequence: null },
        usage: { output_tokens: output },
      }),
      event('message_stop'),
    ],
  }
}

const gemini = (): Form => {
  const body = (text: string, more: object = {}) => ({
    candidates: [{ index: 0, content: { role: 'model', parts: [{ text }] }, ...more }],
  })
  const usage = ({ input, output, model }: Completion) => ({
    usageMetadata: {
      promptTokenCount: input,
      candidatesTokenCount: output,
      totalTokenCount: input + output,
    },
    modelVersion: model,
  })
  const stop = { finishReason: 'STOP' }
  return {
    whole: completion => ({ ...body(completion.text, stop), ...usage(completion) }),
    begin: () => [],
    piece: text => ({ data: body(text) }),
    end: completion => [{ data: { ...body('', stop), ...usage(completion) } }],
  }
}

const cohere = (): Form => {
  const event = (type: string, more: object = {}): Frame => ({
    event: type,
    data: { type, ...more },
  })
  const usageOf = ({ input, output }: Completion) => {
    const tokens = { input_tokens: input, output_tokens: output }
    return { billed_units: tokens, tokens }
  }
  return {
    whole: completion => ({
      ...{ id: id(''), finish_reason: 'COMPLETE', usage: usageOf(completion) },
      message: { role: 'assistant', content: [{ type: 'text', text: completion.text }] },
    }),
    begin: () => [
      event('message-start', {
        id: id(''),
        delta: { message: { role: 'assistant', content: [] } },
      }),
      event('content-start', {
        index: 0,
        delta: { message: { content: { type: 'text', text: '' } } },
      }),
    ],
    piece: text => event('content-delta', { index: 0, delta: { message: { content: { text } } } }),
    end: completion => [
      event('content-end', { index: 0 }),
      event('message-end', { delta: { finish_reason: 'COMPLETE', usage: usageOf(completion) } }),
    ],
  }
}

const formOf = (path: string): Form => {
  if (path.endsWith('/responses')) return responses()
  if (path.endsWith('/v2/chat')) return cohere()
  if (path.endsWith('/messages')) return anthropic()
  if (/enerateContent$/.test(path)) return gemini()
  return openai()
}

const pieceMs = 22
const firstMs = 240

/** A conversation in the form of the path, whole or a word at a time. */
export const chatAnswer = ({ path, body, bytes, count }: VendorRequest): Answer => {
  const text = answerFor(count)
  const model = String(body.model ?? /\/models\/([^:]+):/.exec(path)?.[1] ?? 'demo')
  const completion = {
    model,
    text,
    input: Math.max(8, Math.round(bytes / 5)),
    output: tokensOf(text),
  }
  const form = formOf(path)
  if (body.stream !== true && !path.includes(':streamGenerateContent'))
    return { status: 200, json: form.whole(completion), delayMs: firstMs + completion.output * 6 }
  const frames = [
    ...form.begin(completion),
    ...piecesOf(text).map(piece => form.piece(piece)),
    ...form.end(completion),
  ]
  return { status: 200, frames, delayMs: firstMs, pieceMs }
}
