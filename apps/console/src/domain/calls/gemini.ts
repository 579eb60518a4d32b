import { compact } from './encode.ts'
import type { CallMessage, ChatCall, StreamPart, WireRequest } from './types.ts'

/** https://ai.google.dev/api/generate-content */
export const encode = (call: ChatCall, key: string): WireRequest => {
  const config = compact({
    temperature: call.temperature,
    topP: call.topP,
    maxOutputTokens: call.maxTokens,
    thinkingConfig: call.effort
      ? { thinkingLevel: call.effort.toUpperCase(), includeThoughts: true }
      : undefined,
  })
  return {
    path: `/v1beta/models/${encodeURIComponent(call.model)}:streamGenerateContent?alt=sse`,
    headers: { 'x-goog-api-key': key },
    body: compact({
      systemInstruction: call.system.trim() ? { parts: [{ text: call.system }] } : undefined,
      contents: call.messages.map(contentOf),
      generationConfig: Object.keys(config).length > 0 ? config : undefined,
      tools: call.tools.length > 0 ? [{ functionDeclarations: call.tools.map(toolOf) }] : undefined,
    }),
  }
}

/** `parameters` takes a subset of JSON Schema; this field takes all of it. */
const toolOf = ({ parameters, ...tool }: ChatCall['tools'][number]) => ({
  ...tool,
  parametersJsonSchema: parameters,
})

const contentOf = ({ role, text, images = [] }: CallMessage) => ({
  role: role === 'user' ? 'user' : 'model',
  parts: [
    ...images.map(({ type, data }) => ({ inlineData: { mimeType: type, data } })),
    ...(text ? [{ text }] : []),
  ],
})

type Part = {
  text?: string
  thought?: boolean
  functionCall?: { name?: string; args?: object; id?: string }
}
type GeminiChunk = {
  candidates?: { content?: { parts?: Part[] } }[]
  usageMetadata?: {
    promptTokenCount?: number
    candidatesTokenCount?: number
    thoughtsTokenCount?: number
  }
}

/** Each call comes whole, so that it has an index of its own: -1 asks for the next one. */
export const decode = ({
  candidates,
  usageMetadata: usage,
}: GeminiChunk): StreamPart | undefined => {
  const parts = candidates?.[0]?.content?.parts ?? []
  const textOf = (thought: boolean) =>
    parts
      .filter(each => Boolean(each.thought) === thought)
      .map(each => each.text ?? '')
      .join('')
  const calls = parts.flatMap(({ functionCall: call }) =>
    call ? [{ index: -1, name: call.name ?? '', arguments: JSON.stringify(call.args ?? {}) }] : [],
  )
  const part: StreamPart = {
    ...(textOf(false) ? { text: textOf(false) } : {}),
    ...(textOf(true) ? { reasoning: textOf(true) } : {}),
    ...(calls.length > 0 ? { toolCalls: calls } : {}),
    ...(usage
      ? {
          usage: {
            input: usage.promptTokenCount ?? 0,
            output: (usage.candidatesTokenCount ?? 0) + (usage.thoughtsTokenCount ?? 0),
          },
        }
      : {}),
  }
  return Object.keys(part).length > 0 ? part : undefined
}
