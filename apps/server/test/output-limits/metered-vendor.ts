import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Json } from '../relay-hub.ts'

/** A vendor that makes whole answers as long as the request allows, and charges them by a meter of its own. */
export type MeteredVendor = {
  url: string
  /** The bodies that it received. */
  bodies: string[]
  /** Output tokens of an answer without a limit. */
  longest: number
  /** Letters of the only frame of a stream; 0: a few words. */
  frame: number
  /** Frames of the text that leave in one write. */
  burst: number
  close(): Promise<void>
}

export const startMeteredVendor = async (): Promise<MeteredVendor> => {
  const vendor: MeteredVendor = {
    url: '',
    bodies: [],
    longest: 16_384,
    frame: 0,
    burst: 1,
    close: () => new Promise(resolve => void server.close(() => resolve())),
  }
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const text = Buffer.concat(chunks).toString()
    vendor.bodies.push(text)
    answer(vendor, request, response, JSON.parse(text))
  })
  await new Promise<void>(resolve => void server.listen(0, '127.0.0.1', resolve))
  vendor.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return vendor
}

export const limitIn = (body: Json): number | undefined =>
  body.max_tokens ??
  body.max_completion_tokens ??
  body.max_output_tokens ??
  body.generationConfig?.maxOutputTokens ??
  body.generation_config?.max_output_tokens

const answersIn = (body: Json): number =>
  Math.max(body.n ?? 1, body.best_of ?? 1, body.generationConfig?.candidateCount ?? 1)

const answer = (
  vendor: MeteredVendor,
  { url = '' }: IncomingMessage,
  response: ServerResponse,
  body: Json,
): void => {
  const isStream = body.stream === true || url.includes('streamGenerateContent')
  const output = isStream ? 5 : Math.min(vendor.longest, limitIn(body) ?? vendor.longest)
  const text = isStream && vendor.frame > 0 ? 'word '.repeat(vendor.frame / 5) : 'Some words.'
  const { whole, frames } = answersOf(url, text, { input: 1, output: output * answersIn(body) })
  if (!isStream) {
    response.writeHead(200, { 'content-type': 'application/json' })
    response.end(JSON.stringify(whole))
    return
  }
  response.writeHead(200, { 'content-type': 'text/event-stream' })
  const texts = frames.map(each => {
    const name = (each as Json).type ? `event: ${(each as Json).type}\n` : ''
    const data = `${name}data: ${typeof each === 'string' ? each : JSON.stringify(each)}\n\n`
    return data.includes(`"${text}"`) ? data.repeat(vendor.burst) : data
  })
  response.end(texts.join(''))
}

type Answers = { whole: Json; frames: readonly Json[] }
type Counts = { input: number; output: number }

const answersOf = (url: string, text: string, counts: Counts): Answers => {
  if (url.includes('/responses')) return responses(text, counts)
  if (url.includes('/messages')) return messages(text, counts)
  if (url.includes('enerateContent')) return contents(text, counts)
  return completions(text, counts, url.includes('/chat/'))
}

const completions = (text: string, { input, output }: Counts, isChat: boolean): Answers => {
  const usage = { prompt_tokens: input, completion_tokens: output, total_tokens: input + output }
  const head = { id: 'c1', object: 'chat.completion', created: 1, model: 'm' }
  const choice = isChat ? { message: { role: 'assistant', content: text } } : { text }
  const delta = isChat ? { delta: { role: 'assistant', content: text } } : { text }
  return {
    whole: { ...head, choices: [{ index: 0, ...choice, finish_reason: 'stop' }], usage },
    frames: [
      { ...head, choices: [{ index: 0, ...delta, finish_reason: null }] },
      { ...head, choices: [{ index: 0, delta: {}, text: '', finish_reason: 'stop' }] },
      { ...head, choices: [], usage },
      '[DONE]',
    ],
  }
}

const responses = (text: string, { input, output }: Counts): Answers => {
  const content = [{ type: 'output_text', text, annotations: [] }]
  const item = { type: 'message', id: 'msg_1', role: 'assistant', status: 'completed', content }
  const usage = { input_tokens: input, output_tokens: output, total_tokens: input + output }
  const id = `resp_${Math.random().toString(36).slice(2)}`
  const whole = { id, object: 'response', status: 'completed', model: 'm', output: [item], usage }
  const delta = { item_id: 'msg_1', output_index: 0, content_index: 0, delta: text }
  return {
    whole,
    frames: [
      { type: 'response.created', response: { ...whole, status: 'in_progress', output: [] } },
      { type: 'response.output_text.delta', ...delta },
      { type: 'response.completed', response: whole },
    ],
  }
}

const messages = (text: string, { input, output }: Counts): Answers => {
  const usage = { input_tokens: input, output_tokens: output }
  const head = { id: 'msg_1', type: 'message', role: 'assistant', model: 'm', stop_sequence: null }
  return {
    whole: { ...head, content: [{ type: 'text', text }], stop_reason: 'end_turn', usage },
    frames: [
      { type: 'message_start', message: { ...head, content: [], stop_reason: null, usage } },
      { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
      { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text } },
      { type: 'content_block_stop', index: 0 },
      { type: 'message_delta', delta: { stop_reason: 'end_turn' }, usage },
      { type: 'message_stop' },
    ],
  }
}

const contents = (text: string, { input, output }: Counts): Answers => {
  const content = { role: 'model', parts: [{ text }] }
  const whole = {
    candidates: [{ index: 0, content, finishReason: 'STOP' }],
    usageMetadata: {
      promptTokenCount: input,
      candidatesTokenCount: output,
      totalTokenCount: input + output,
    },
  }
  return { whole, frames: [whole] }
}
