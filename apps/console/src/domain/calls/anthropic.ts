import { compact } from './encode.ts'
import type { CallMessage, ChatCall, StreamPart, WireRequest } from './types.ts'

/** Anthropic requires a limit; this one is sent where none is set. */
export const anthropicMaxTokens = 4096

/** https://platform.claude.com/docs/en/api/messages */
export const encode = (call: ChatCall, key: string): WireRequest => ({
  path: '/v1/messages',
  headers: { 'x-api-key': key, 'anthropic-version': '2023-06-01' },
  body: compact({
    model: call.model,
    max_tokens: call.maxTokens ?? anthropicMaxTokens,
    system: call.system.trim() ? call.system : undefined,
    messages: call.messages.map(messageOf),
    temperature: call.temperature,
    top_p: call.topP,
    thinking: call.effort ? { type: 'adaptive', display: 'summarized' } : undefined,
    output_config: call.effort ? { effort: call.effort } : undefined,
    tools: call.tools.map(({ parameters, ...tool }) => ({ ...tool, input_schema: parameters })),
    stream: true,
  }),
})

const messageOf = ({ role, text, images = [] }: CallMessage) => ({
  role,
  content:
    images.length === 0
      ? text
      : [
          ...images.map(({ type, data }) => ({
            type: 'image',
            source: { type: 'base64', media_type: type, data },
          })),
          ...(text ? [{ type: 'text', text }] : []),
        ],
})

type Usage = {
  input_tokens?: number
  cache_read_input_tokens?: number | null
  cache_creation_input_tokens?: number | null
  output_tokens?: number
}
type MessagesEvent = {
  type?: string
  index?: number
  delta?: { type?: string; text?: string; thinking?: string; partial_json?: string }
  content_block?: { type?: string; name?: string }
  message?: { usage?: Usage }
  usage?: Usage
}

export const decode = (event: MessagesEvent): StreamPart | undefined => {
  const { type, index = 0, delta, content_block: block } = event
  if (type === 'content_block_start')
    return block?.type === 'tool_use'
      ? { toolCalls: [{ index, name: block.name ?? '' }] }
      : undefined
  if (delta?.type === 'text_delta') return { text: delta.text ?? '' }
  if (delta?.type === 'thinking_delta') return { reasoning: delta.thinking ?? '' }
  if (delta?.type === 'input_json_delta')
    return { toolCalls: [{ index, arguments: delta.partial_json ?? '' }] }
  const usage = event.usage ?? event.message?.usage
  return usage ? { usage: usageOf(usage) } : undefined
}

/** Cached tokens stand next to `input_tokens`, not in them. */
const usageOf = (usage: Usage) => ({
  ...(usage.input_tokens === undefined
    ? {}
    : {
        input:
          usage.input_tokens +
          (usage.cache_read_input_tokens ?? 0) +
          (usage.cache_creation_input_tokens ?? 0),
      }),
  ...(usage.output_tokens === undefined ? {} : { output: usage.output_tokens }),
})
