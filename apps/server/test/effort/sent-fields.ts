import type { Json } from '../relay-hub.ts'

export const messages = [{ role: 'user', content: 'hi' }]
const contents = [{ role: 'user', parts: [{ text: 'hi' }] }]
type WriteCall = (model: string, fields?: object) => readonly [path: string, body: object]
export const callers: Record<string, WriteCall> = {
  chat: (model, more) => ['/v1/chat/completions', { model, messages, ...more }],
  responses: (model, more) => ['/v1/responses', { model, input: 'hi', store: false, ...more }],
  messages: (model, more) => ['/v1/messages', { model, max_tokens: 8_192, messages, ...more }],
  gemini: (model, more) => [`/v1beta/models/${model}:generateContent`, { contents, ...more }],
}

/** The dialect of a path at a vendor. */
export const sentDialect = (path: string): string => {
  if (path.endsWith('/messages')) return 'messages'
  if (path.endsWith('/responses')) return 'responses'
  if (path.endsWith('/converse')) return 'converse'
  return path.includes(':generateContent') ? 'gemini' : 'chat'
}

/** The fields of a body that say how much to think, such as `thinking.type=disabled`. What is shown of it is left out. */
export const effortFields = (body: Json): string => {
  const { reasoning_effort, reasoning, thinking, enable_thinking, thinking_budget } = body
  const thoughts = { reasoning_effort, reasoning, thinking, enable_thinking, thinking_budget }
  const { output_config, generationConfig, additionalModelRequestFields: nova } = body
  const { maxReasoningEffort } = nova?.reasoningConfig ?? {}
  const texts: string[] = []
  const visit = (value: Json, path: string): void => {
    if (typeof value === 'object' && value !== null)
      for (const [key, inner] of Object.entries(value)) visit(inner, path ? `${path}.${key}` : key)
    else if (value !== undefined && !/(summary|display|includeThoughts)$/.test(path))
      texts.push(`${path}=${value}`)
  }
  visit({ ...thoughts, output_config, ...generationConfig?.thinkingConfig, maxReasoningEffort }, '')
  return texts.sort().join(' ') || '-'
}
