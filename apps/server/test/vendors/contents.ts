import { type AwsEvent, awsFrame } from '../../../../test/upstream/dialects/aws.ts'
import { frame } from '../relay-calls.ts'

/** Frames that follow the opening of a vendor's stream, and carry output. */
export type Content = { kind: string; frames: string }

type FrameValue = { type?: string } & Record<string, unknown>
const many = (...values: FrameValue[]): string => values.map(frame).join('')

const head = { id: 'chatcmpl-first', object: 'chat.completion.chunk', created: 1, model: 'first' }
const delta = (value: object, index = 0): FrameValue => ({
  ...head,
  choices: [{ index, delta: value, finish_reason: null }],
})
const call = (value: object) =>
  delta({ tool_calls: [{ index: 0, id: 'c', type: 'function', function: value }] })
const chat: Record<string, string> = {
  text: many(delta({ content: 'from first' })),
  'a tool call': many(call({ name: 'f', arguments: '{"a":1}' })),
  'the name of a tool': many(call({ name: 'f', arguments: '' })),
  reasoning: many(delta({ reasoning_content: 'so' })),
  'reasoning of OpenRouter': many(delta({ reasoning: 'so' })),
  refusal: many(delta({ refusal: 'No.' })),
  audio: many(delta({ audio: { id: 'a', data: 'AAAA' } })),
  'an image': many(
    delta({
      images: [{ type: 'image_url', image_url: { url: 'data:image/png;base64,AAAA' } }],
    }),
  ),
}

const at = { output_index: 0, item_id: 'msg_first', content_index: 0 }
/** The message of the opening ends empty, and an item of another kind follows. */
const ofItem = (value: object, ...deltas: FrameValue[]): string =>
  many(
    {
      ...{ type: 'response.output_item.done', output_index: 0 },
      item: {
        id: 'msg_first',
        type: 'message',
        role: 'assistant',
        status: 'completed',
        content: [],
      },
    },
    {
      ...{ type: 'response.output_item.added', output_index: 1 },
      item: { id: 'i', status: 'in_progress', ...value },
    },
    ...deltas.map(each => ({ ...each, output_index: 1, item_id: 'i' })),
  )
const reasoning = { type: 'reasoning', summary: [] }
const functionCall = { type: 'function_call', call_id: 'c', name: 'f', arguments: '' }
const responses: Record<string, string> = {
  text: many({ type: 'response.output_text.delta', ...at, delta: 'from first' }),
  refusal: many({ type: 'response.refusal.delta', ...at, delta: 'No.' }),
  'the name of a tool': ofItem(functionCall),
  'a tool call': ofItem(functionCall, {
    type: 'response.function_call_arguments.delta',
    delta: '{"a":1}',
  }),
  'a call of a custom tool': ofItem(
    { type: 'custom_tool_call', call_id: 'c', name: 'f', input: '' },
    { type: 'response.custom_tool_call_input.delta', delta: 'x' },
  ),
  'a summary': ofItem(reasoning, {
    ...{ type: 'response.reasoning_summary_text.delta', summary_index: 0 },
    delta: 'so',
  }),
  reasoning: ofItem(reasoning, {
    ...{ type: 'response.reasoning_text.delta', content_index: 0 },
    delta: 'so',
  }),
  audio: many({ type: 'response.audio.delta', response_id: 'resp_first', delta: 'AAAA' }),
  'an image': ofItem(
    { type: 'image_generation_call' },
    {
      type: 'response.image_generation_call.partial_image',
      ...{ partial_image_index: 0, partial_image_b64: 'AAAA' },
    },
  ),
  'a search': ofItem({ type: 'web_search_call' }),
}

const block = (content_block: object, delta?: object): string =>
  many(
    { type: 'content_block_stop', index: 0 },
    { type: 'content_block_start', index: 1, content_block },
    ...(delta ? [{ type: 'content_block_delta', index: 1, delta }] : []),
  )
const tool = { type: 'tool_use', id: 'toolu_1', name: 'f', input: {} }
const messages: Record<string, string> = {
  text: many({
    ...{ type: 'content_block_delta', index: 0 },
    delta: { type: 'text_delta', text: 'from first' },
  }),
  'text within its start': block({ type: 'text', text: 'from first' }),
  'the name of a tool': block(tool),
  'a tool call': block(tool, { type: 'input_json_delta', partial_json: '{"a":1}' }),
  reasoning: block(
    { type: 'thinking', thinking: '', signature: '' },
    { type: 'thinking_delta', thinking: 'so' },
  ),
  'hidden reasoning': block({ type: 'redacted_thinking', data: 'AAAA' }),
  'a search': block({ type: 'server_tool_use', id: 'srvtoolu_1', name: 'web_search', input: {} }),
}

const part = (value: object): string =>
  many({
    ...{ responseId: 'first', modelVersion: 'first' },
    candidates: [{ index: 0, content: { role: 'model', parts: [value] } }],
  })
const gemini: Record<string, string> = {
  text: part({ text: 'from first' }),
  reasoning: part({ text: 'so', thought: true }),
  'a tool call': part({ functionCall: { name: 'f', args: { a: 1 } } }),
  'the name of a tool': part({ functionCall: { name: 'f', willContinue: true } }),
  'an image': part({ inlineData: { mimeType: 'image/png', data: 'AAAA' } }),
  audio: part({ inlineData: { mimeType: 'audio/L16;rate=24000', data: 'AAAA' } }),
  code: part({ executableCode: { language: 'PYTHON', code: 'print()' } }),
}

const bytes = async (...events: AwsEvent[]): Promise<string> =>
  Buffer.concat(await Promise.all(events.map(awsFrame))).toString('latin1')
const start = (value: object): AwsEvent => [
  'contentBlockStart',
  { contentBlockIndex: 1, start: value },
]
const inBlock = (value: object): AwsEvent => [
  'contentBlockDelta',
  { contentBlockIndex: 1, delta: value },
]
const toolUse = { toolUseId: 'tooluse_1', name: 'f' }
const converse: Record<string, string> = {
  text: await bytes(inBlock({ text: 'from first' })),
  reasoning: await bytes(inBlock({ reasoningContent: { text: 'so' } })),
  'the name of a tool': await bytes(start({ toolUse })),
  'a tool call': await bytes(start({ toolUse }), inBlock({ toolUse: { input: '{"a":1}' } })),
}

const completions = {
  text: many({
    ...{ ...head, object: 'text_completion' },
    choices: [{ index: 0, text: 'from first', finish_reason: null }],
  }),
}

/** Every kind of output that the vendor of this model may send first, for a caller of this dialect. */
export const contents = (caller: string, model: string): Content[] =>
  Object.entries(ofModel(caller, model)).map(([kind, frames]) => ({ kind, frames }))

const ofModel = (caller: string, model: string): Record<string, string> => {
  if (model === 'claude') return messages
  if (model === 'gemini') return gemini
  if (model === 'converse') return converse
  if (caller === 'completions') return completions
  const isResponses = caller === 'responses' || model === 'gpt-5.4'
  return isResponses ? responses : chat
}
