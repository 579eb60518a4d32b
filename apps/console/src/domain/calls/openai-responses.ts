import { compact, dataUrl } from './encode.ts'
import type { CallMessage, ChatCall, StreamPart, WireRequest } from './types.ts'

/** https://platform.openai.com/docs/api-reference/responses/create */
export const encode = (call: ChatCall, key: string): WireRequest => ({
  path: '/v1/responses',
  headers: { authorization: `Bearer ${key}` },
  body: compact({
    model: call.model,
    instructions: call.system.trim() ? call.system : undefined,
    input: call.messages.map(messageOf),
    temperature: call.temperature,
    top_p: call.topP,
    max_output_tokens: call.maxTokens,
    reasoning: call.effort ? { effort: call.effort, summary: 'auto' } : undefined,
    tools: call.tools.map(tool => ({ type: 'function', ...tool, strict: false })),
    // The console keeps the conversation itself.
    store: false,
    stream: true,
  }),
})

const messageOf = ({ role, text, images = [] }: CallMessage) => ({
  role,
  content: [
    ...images.map(image => ({ type: 'input_image', image_url: dataUrl(image) })),
    ...(text ? [{ type: role === 'user' ? 'input_text' : 'output_text', text }] : []),
  ],
})

type ResponsesEvent = {
  type?: string
  delta?: string
  output_index?: number
  item?: { type?: string; name?: string }
  response?: { usage?: { input_tokens: number; output_tokens: number } | null }
}

export const decode = (event: ResponsesEvent): StreamPart | undefined => {
  const { type, delta = '', output_index: index = 0, item, response } = event
  if (type === 'response.output_text.delta') return { text: delta }
  if (type === 'response.refusal.delta') return { text: delta }
  if (type === 'response.reasoning_summary_text.delta') return { reasoning: delta }
  if (type === 'response.reasoning_text.delta') return { reasoning: delta }
  if (type === 'response.output_item.added' && item?.type === 'function_call')
    return { toolCalls: [{ index, name: item.name ?? '' }] }
  if (type === 'response.function_call_arguments.delta')
    return { toolCalls: [{ index, arguments: delta }] }
  const usage = response?.usage
  return usage ? { usage: { input: usage.input_tokens, output: usage.output_tokens } } : undefined
}
