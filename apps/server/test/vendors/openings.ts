import { type AwsEvent, awsFrame } from '../../../../test/upstream/dialects/aws.ts'
import type { Turn } from '../../../../test/upstream/turn.ts'
import { frame } from '../relay-calls.ts'
import type { Json } from '../relay-hub.ts'

/**
 * The frames of a vendor's stream: what it sends before its output, an error, its output, and its end. The frames of
 * Converse are bytes, each of which is a character here (latin1).
 */
export type VendorStream = {
  opening: string[]
  failure: string
  /** The other forms in which vendors and relays send an error within a stream. */
  otherFailures: string[]
  output: string
  end: string
  /** The closing frame alone. */
  closing: string | undefined
}

const done = 'data: [DONE]\n\n'
const chatUsage = { prompt_tokens: 7, completion_tokens: 3, total_tokens: 10 }
const server = { message: 'It broke.', type: 'server_error', code: 'server_error' }

const chat = (name: string, isCompletion: boolean): VendorStream => {
  const head = { id: `chatcmpl-${name}`, created: 1, model: name }
  const object = isCompletion ? 'text_completion' : 'chat.completion.chunk'
  const chunk = (content: string, finish_reason: string | null = null, delta = {}) => {
    const text = isCompletion ? { text: content } : { delta: { ...delta, content } }
    return frame({ ...head, object, choices: [{ index: 0, ...text, finish_reason }] })
  }
  const usageOnly = (usage: object) => frame({ ...head, object, choices: [], usage })
  return {
    opening: [
      chunk('', null, { role: 'assistant', refusal: null }),
      usageOnly({ ...chatUsage, completion_tokens: 0 }),
    ],
    failure: frame({ error: server }),
    otherFailures: [
      `event: error\n${frame({ error: server })}`,
      frame({ error: 'It broke.' }),
      frame({ ...head, object, choices: [], error: { ...server, code: 502 } }),
      frame({
        ...{ ...head, object, error: { code: 502, message: 'It broke.' } },
        choices: [{ index: 0, delta: { content: '' }, text: '', finish_reason: 'error' }],
      }),
    ],
    output: chunk(`from ${name}`),
    end: chunk('', 'stop') + usageOnly(chatUsage) + done,
    closing: done,
  }
}

const responses = (name: string): VendorStream => {
  const response = (status: string, more = {}) => ({
    ...{ id: `resp_${name}`, object: 'response', created_at: 1, model: name, status, output: [] },
    ...more,
  })
  const at = { output_index: 0, item_id: `msg_${name}`, content_index: 0 }
  const text = { type: 'output_text', text: '', annotations: [] }
  const item = { id: `msg_${name}`, type: 'message', role: 'assistant', status: 'in_progress' }
  const whole = { ...item, status: 'completed', content: [{ ...text, text: `from ${name}` }] }
  const usage = { input_tokens: 7, output_tokens: 3, total_tokens: 10 }
  const failed = response('failed', { error: { code: 'server_error', message: 'It broke.' } })
  return {
    opening: [
      frame({ type: 'response.created', response: response('in_progress') }),
      frame({ type: 'response.in_progress', response: response('in_progress') }),
      frame({
        ...{ type: 'response.output_item.added', output_index: 0 },
        item: { ...item, content: [] },
      }),
      frame({ type: 'response.content_part.added', ...at, part: text }),
    ],
    failure: frame({ type: 'response.failed', response: failed }),
    otherFailures: [
      frame({ type: 'response.failed', response: response('failed', { error: null }) }),
      frame({ type: 'error', code: 'server_error', message: 'It broke.', param: null }),
      frame({ type: 'error', error: server }),
      frame({ error: server }),
    ],
    output: frame({ type: 'response.output_text.delta', ...at, delta: `from ${name}` }),
    end:
      frame({ type: 'response.output_item.done', output_index: 0, item: whole }) +
      frame({
        type: 'response.completed',
        response: response('completed', { output: [whole], usage }),
      }),
    closing: undefined,
  }
}

const messages = (name: string): VendorStream => {
  const usage = { input_tokens: 7, output_tokens: 1 }
  const message = {
    ...{ id: `msg_${name}`, type: 'message', role: 'assistant', model: name, content: [] },
    ...{ stop_reason: null, stop_sequence: null, usage },
  }
  const stop = { stop_reason: 'end_turn', stop_sequence: null }
  return {
    opening: [
      frame({ type: 'message_start', message }),
      frame({ type: 'ping' }),
      frame({
        ...{ type: 'content_block_start', index: 0 },
        content_block: { type: 'text', text: '' },
      }),
    ],
    failure: frame({ type: 'error', error: { type: 'api_error', message: 'It broke.' } }),
    otherFailures: [
      frame({ type: 'error', error: { type: 'overloaded_error', message: 'Overloaded' } }),
      frame({ type: 'error', error: { type: 'rate_limit_error', message: 'Slow down.' } }),
      `data: ${JSON.stringify({ type: 'error', error: { type: 'api_error', message: 'x' } })}\n\n`,
      `event: error\n${frame({ error: { type: 'api_error', message: 'It broke.' } })}`,
      frame({ error: server }),
    ],
    output: frame({
      ...{ type: 'content_block_delta', index: 0 },
      delta: { type: 'text_delta', text: `from ${name}` },
    }),
    end:
      frame({ type: 'content_block_stop', index: 0 }) +
      frame({ type: 'message_delta', delta: stop, usage: { output_tokens: 3 } }) +
      frame({ type: 'message_stop' }),
    closing: frame({ type: 'message_stop' }),
  }
}

const gemini = (name: string): VendorStream => {
  const head = { responseId: name, modelVersion: name }
  const usageMetadata = { promptTokenCount: 7, candidatesTokenCount: 3, totalTokenCount: 10 }
  const content = (text: string) => ({ role: 'model', parts: [{ text }] })
  return {
    opening: [
      frame({ ...head, usageMetadata: { promptTokenCount: 7, totalTokenCount: 7 } }),
      frame({ ...head, candidates: [{ index: 0, content: { role: 'model' } }] }),
    ],
    failure: frame({ error: { code: 500, status: 'INTERNAL', message: 'It broke.' } }),
    otherFailures: [
      frame({ error: { code: 503, status: 'UNAVAILABLE', message: 'Overloaded' } }),
      frame({ error: { code: 429, status: 'RESOURCE_EXHAUSTED', message: 'Slow down.' } }),
      `data: ${JSON.stringify([{ error: { code: 500, status: 'INTERNAL', message: 'x' } }])}\n\n`,
    ],
    output: frame({ ...head, candidates: [{ index: 0, content: content(`from ${name}`) }] }),
    end: frame({
      ...head,
      candidates: [{ index: 0, content: content(''), finishReason: 'STOP' }],
      usageMetadata,
    }),
    closing: undefined,
  }
}

const converse = async (name: string): Promise<VendorStream> => {
  const bytes = async (...event: AwsEvent) => (await awsFrame(event)).toString('latin1')
  const delta = { contentBlockIndex: 0, delta: { text: `from ${name}` } }
  const usage = { inputTokens: 7, outputTokens: 3, totalTokens: 10 }
  const broken = { message: 'It broke.' }
  return {
    opening: [
      await bytes('messageStart', { role: 'assistant' }),
      await bytes('contentBlockDelta', { contentBlockIndex: 0, delta: { text: '' } }),
    ],
    failure: await bytes('internalServerException', broken),
    otherFailures: [
      await bytes('throttlingException', broken),
      await bytes('serviceUnavailableException', broken),
      await bytes('modelStreamErrorException', { ...broken, originalStatusCode: 500 }),
    ],
    output: await bytes('contentBlockDelta', delta),
    end:
      (await bytes('contentBlockStop', { contentBlockIndex: 0 })) +
      (await bytes('messageStop', { stopReason: 'end_turn' })) +
      (await bytes('metadata', { usage, metrics: { latencyMs: 1 } })),
    closing: undefined,
  }
}

/** The official client frames them, which takes a moment: the streams of the two channels are made once. */
const converseStreams = new Map<string, VendorStream>()
export const makeConverseStreams = async (): Promise<void> => {
  for (const name of ['first', 'second']) converseStreams.set(name, await converse(name))
}

/** The stream of the vendor that a request asks, by its path. */
export const vendorStream = ({ served: { path, channel } }: Turn): VendorStream => {
  if (path.endsWith('/messages')) return messages(channel)
  if (path.endsWith('/responses')) return responses(channel)
  if (path.endsWith('/chat/completions')) return chat(channel, false)
  if (path.endsWith('/converse-stream')) return converseStreams.get(channel)!
  return path.endsWith('/completions') ? chat(channel, true) : gemini(channel)
}

export const wholeStream = (turn: Turn): string => {
  const { opening, output, end } = vendorStream(turn)
  return [...opening, output, end].join('')
}

/** The text that a caller reads out of the frames of any dialect. */
export const outputOf = (frames: readonly Json[]): string =>
  frames
    .map(each => {
      if (each.type === 'response.output_text.delta') return each.delta
      const choice = each.choices?.[0]
      const part = each.candidates?.[0]?.content?.parts?.[0]
      return each.delta?.text ?? choice?.delta?.content ?? choice?.text ?? part?.text ?? ''
    })
    .join('')

/** The ids and the model by which the frames name their answer. */
export const namesIn = (frames: readonly Json[]): { ids: string[]; models: string[] } => {
  const heads = frames.map(each => each.response ?? each.message ?? each)
  const namesOf = (field: (head: Json) => unknown) => [
    ...new Set(heads.map(field).filter(each => typeof each === 'string')),
  ]
  return {
    ids: namesOf(({ id, responseId }) => id ?? responseId) as string[],
    models: namesOf(({ model, modelVersion }) => model ?? modelVersion) as string[],
  }
}
