import { type AwsEvent, awsFrame } from '../../../../test/upstream/dialects/aws.ts'
import { frame, type RelayCall } from '../relay-calls.ts'

/** The stream of one dialect as its vendor sends it, and the call for it. */
export type LeftStream = {
  name: string
  /** The channel's type, and further fields of it. */
  type: number
  channel?: object
  model: string
  /** The caller's connection is a WebSocket. */
  isSocket?: boolean
  call: RelayCall
  /** Fields that turn reasoning off. */
  off: object
  /** The vendor counts reasoning apart; others count it as output. */
  reportsReasoning: boolean
  /** The events before the first word. */
  opening: string
  piece(text: string): string
  /** Everything behind the last word. */
  ending(output: number, reasoning: number): string
  /** Makes bytes of the texts above. Absent: they are server-sent events. */
  encode?(text: string): Promise<Buffer>
}

/** Each of these words is one token of the usual vocabularies. */
const prompt = Array.from({ length: 100 }, (_, at) => ['the', 'cat', 'and', 'dog'][at % 4]).join(
  ' ',
)
/** The words, and what the vendors document for a message. */
export const promptTokens = 107
const messages = [{ role: 'user', content: prompt }]
const many = (...values: Record<string, unknown>[]) => values.map(frame).join('')

const chatUsage = (output: number, reasoning: number) => ({
  ...{ prompt_tokens: promptTokens, completion_tokens: output + reasoning },
  completion_tokens_details: { reasoning_tokens: reasoning },
})
const chatEnd = (finish: object, output: number, reasoning: number) =>
  `${many({ id: 'c', choices: [finish] }, { id: 'c', choices: [], usage: chatUsage(output, reasoning) })}data: [DONE]\n\n`

const chat = (model: string): LeftStream => ({
  name: 'chat',
  ...{ type: 1, model, off: { reasoning_effort: 'none' }, reportsReasoning: true },
  call: { path: '/v1/chat/completions', body: { model, stream: true, messages } },
  opening: frame({ id: 'c', choices: [{ index: 0, delta: { role: 'assistant', content: '' } }] }),
  piece: content => frame({ id: 'c', choices: [{ index: 0, delta: { content } }] }),
  ending: (output, reasoning) =>
    chatEnd({ index: 0, delta: {}, finish_reason: 'stop' }, output, reasoning),
})

const translated = (model: string): LeftStream => ({
  ...chat(model),
  name: 'chat, translated for an Anthropic caller',
  off: { thinking: { type: 'disabled' } },
  call: {
    path: '/v1/messages',
    body: { model, stream: true, max_tokens: 20_000, messages },
  },
})

const completions = (model: string): LeftStream => ({
  name: 'completions',
  ...{ type: 1, model, off: { reasoning_effort: 'none' }, reportsReasoning: true },
  call: { path: '/v1/completions', body: { model, stream: true, prompt } },
  opening: frame({ id: 'c', choices: [{ index: 0, text: '' }] }),
  piece: text => frame({ id: 'c', choices: [{ index: 0, text }] }),
  ending: (output, reasoning) =>
    chatEnd({ index: 0, text: '', finish_reason: 'stop' }, output, reasoning),
})

const responses = (model: string): LeftStream => ({
  name: 'Responses',
  ...{ type: 1, model, off: { reasoning: { effort: 'none' } }, reportsReasoning: true },
  call: { path: '/v1/responses', body: { model, stream: true, input: prompt, store: false } },
  opening: many(
    { type: 'response.created', response: { id: 'resp_1', object: 'response', output: [] } },
    {
      ...{ type: 'response.output_item.added', output_index: 0 },
      item: { type: 'message', id: 'i', role: 'assistant', content: [] },
    },
  ),
  piece: delta =>
    frame({
      ...{ type: 'response.output_text.delta', item_id: 'i', output_index: 0, content_index: 0 },
      delta,
    }),
  ending: (output, reasoning) =>
    frame({
      type: 'response.completed',
      response: {
        ...{ id: 'resp_1', object: 'response', status: 'completed', output: [] },
        usage: {
          ...{ input_tokens: promptTokens, output_tokens: output + reasoning },
          output_tokens_details: { reasoning_tokens: reasoning },
        },
      },
    }),
})

const anthropic = (model: string): LeftStream => ({
  name: 'Messages',
  ...{ type: 14, model, off: { thinking: { type: 'disabled' } }, reportsReasoning: true },
  call: { path: '/v1/messages', body: { model, stream: true, max_tokens: 20_000, messages } },
  opening: many(
    {
      type: 'message_start',
      message: {
        ...{ id: 'm', type: 'message', role: 'assistant', model, content: [] },
        usage: { input_tokens: promptTokens, output_tokens: 0 },
      },
    },
    { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
  ),
  piece: text =>
    frame({ type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text } }),
  ending: (output, reasoning) =>
    many(
      { type: 'content_block_stop', index: 0 },
      {
        ...{ type: 'message_delta', delta: { stop_reason: 'end_turn' } },
        usage: {
          output_tokens: output + reasoning,
          output_tokens_details: { thinking_tokens: reasoning },
        },
      },
      { type: 'message_stop' },
    ),
})

const geminiFrame = (text: string, more: object) =>
  frame({ candidates: [{ content: { role: 'model', parts: [{ text }] }, index: 0 }], ...more })

const gemini = (model: string): LeftStream => ({
  name: 'Gemini',
  ...{ type: 25, model, reportsReasoning: true },
  off: { generationConfig: { thinkingConfig: { thinkingBudget: 0 } } },
  call: {
    path: `/v1beta/models/${model}:streamGenerateContent?alt=sse`,
    body: { contents: [{ parts: [{ text: prompt }] }] },
  },
  opening: geminiFrame('', {}),
  piece: text => geminiFrame(text, {}),
  ending: (output, reasoning) =>
    frame({
      candidates: [
        { content: { role: 'model', parts: [{ text: '' }] }, index: 0, finishReason: 'STOP' },
      ],
      usageMetadata: {
        ...{ promptTokenCount: promptTokens, candidatesTokenCount: output },
        thoughtsTokenCount: reasoning,
      },
    }),
})

/** Without `alt=sse` the caller gets one JSON array. */
const geminiArray = (model: string): LeftStream => ({
  ...gemini(model),
  name: 'Gemini, as an array',
  call: { ...gemini(model).call, path: `/v1beta/models/${model}:streamGenerateContent` },
})

const responsesSocket = (model: string): LeftStream => ({
  ...responses(model),
  ...{ name: 'Responses over WebSocket', isSocket: true },
  call: { path: '/v1/responses', body: { model, input: prompt, store: false } },
})

const events = (...values: AwsEvent[]) => `${values.map(each => JSON.stringify(each)).join('\n')}\n`
const eventFrames = async (text: string): Promise<Buffer> => {
  const lines = text.split('\n').filter(each => each !== '')
  return Buffer.concat(await Promise.all(lines.map(each => awsFrame(JSON.parse(each)))))
}

const converse = (model: string): LeftStream => ({
  ...chat(model),
  name: 'Bedrock Converse, translated for a chat caller',
  ...{ type: 32, channel: { key: 'us-east-1|key' }, reportsReasoning: false },
  call: {
    path: '/v1/chat/completions',
    body: { model, stream: true, messages, reasoning_effort: 'high' },
  },
  encode: eventFrames,
  opening: events(['messageStart', { role: 'assistant' }]),
  piece: text => events(['contentBlockDelta', { contentBlockIndex: 0, delta: { text } }]),
  ending: (output, reasoning) =>
    events(
      ['contentBlockStop', { contentBlockIndex: 0 }],
      ['messageStop', { stopReason: 'end_turn' }],
      [
        'metadata',
        {
          usage: {
            ...{ inputTokens: promptTokens, outputTokens: output + reasoning },
            totalTokens: promptTokens + output + reasoning,
          },
          metrics: { latencyMs: 10 },
        },
      ],
    ),
})

/** A stream of each dialect and framing; the model of each is its own. */
export const leftStreams: readonly LeftStream[] = [
  chat('grid-chat'),
  translated('grid-translated'),
  completions('grid-completions'),
  responses('grid-responses'),
  responsesSocket('grid-socket'),
  anthropic('grid-claude'),
  gemini('grid-gemini'),
  geminiArray('grid-array'),
  converse('grid-converse'),
]
