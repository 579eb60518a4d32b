import { compact, dataUrl } from './encode.ts'
import type { CallMessage, ChatCall, StreamPart, WireRequest } from './types.ts'

/** https://platform.openai.com/docs/api-reference/chat/create */
export const encode = (call: ChatCall, key: string): WireRequest => ({
  path: '/v1/chat/completions',
  headers: { authorization: `Bearer ${key}` },
  body: compact({
    model: call.model,
    messages: [
      ...(call.system.trim() ? [{ role: 'system', content: call.system }] : []),
      ...call.messages.map(messageOf),
    ],
    temperature: call.temperature,
    top_p: call.topP,
    max_completion_tokens: call.maxTokens,
    reasoning_effort: call.effort,
    tools: call.tools.map(tool => ({ type: 'function', function: tool })),
    stream: true,
    stream_options: { include_usage: true },
  }),
})

const messageOf = ({ role, text, images = [] }: CallMessage) => ({
  role,
  content:
    images.length === 0
      ? text
      : [
          ...images.map(image => ({ type: 'image_url', image_url: { url: dataUrl(image) } })),
          ...(text ? [{ type: 'text', text }] : []),
        ],
})

type ToolDelta = { index?: number; function?: { name?: string; arguments?: string } }
type Delta = {
  content?: string | null
  /** DeepSeek and most compatible vendors send `reasoning_content`, OpenRouter and vLLM `reasoning`. */
  reasoning_content?: string | null
  reasoning?: string | null
  tool_calls?: ToolDelta[] | null
}
type ChatChunk = {
  choices?: { delta?: Delta }[]
  usage?: { prompt_tokens: number; completion_tokens: number } | null
}

export const decode = ({ choices, usage }: ChatChunk): StreamPart | undefined => {
  const delta = choices?.[0]?.delta
  // A vendor that sends both fields sends the same text twice.
  const reasoning = delta?.reasoning_content || delta?.reasoning
  const part: StreamPart = {
    ...(delta?.content ? { text: delta.content } : {}),
    ...(reasoning ? { reasoning } : {}),
    ...(delta?.tool_calls?.length
      ? { toolCalls: delta.tool_calls.map(each => ({ index: each.index ?? 0, ...each.function })) }
      : {}),
    ...(usage ? { usage: { input: usage.prompt_tokens, output: usage.completion_tokens } } : {}),
  }
  return Object.keys(part).length > 0 ? part : undefined
}
