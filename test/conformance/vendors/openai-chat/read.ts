import type OpenAI from 'openai'
import { fields } from '../../callers/openai-chat/write.ts'
import {
  definedFields,
  type Media,
  type NeutralRequest,
  nonEmpty,
  type Piece,
  type Tool,
  type Turn,
} from '../../neutral.ts'

// https://platform.openai.com/docs/api-reference/chat/create, and what other vendors of the dialect added to it.
type Mark = { cache_control?: { ttl?: '5m' | '1h' } }
type Detail = { text?: string; signature?: string; data?: string }
/** https://ai.google.dev/gemini-api/docs/thought-signatures, in this dialect. */
type Signed = { extra_content?: { google?: { thought_signature?: string } } }
type Assistant = OpenAI.ChatCompletionAssistantMessageParam &
  Signed & { reasoning_content?: string; reasoning_details?: Detail[] }
type Message = Exclude<OpenAI.ChatCompletionMessageParam, { role: 'assistant' }> | Assistant
type Part = (OpenAI.ChatCompletionContentPart | { type: 'refusal'; refusal: string }) & Mark
type Body = Omit<OpenAI.ChatCompletionCreateParams, 'messages'> & {
  messages: Message[]
  thinking?: { type: string }
  reasoning?: { max_tokens?: number }
} & Record<string, unknown>

export const readBody = (input: unknown): NeutralRequest => {
  const body = input as Body
  const { messages, tools = [], tool_choice, response_format, thinking, audio } = body
  const system = messages.filter(({ role }) => role === 'system' || role === 'developer')
  const { brand_new_field } = body
  return definedFields({
    ...plain(body),
    system: nonEmpty(system.flatMap(({ content }) => textsOf(content))),
    turns: turnsOf(messages),
    tools: nonEmpty([...tools.flatMap(toolOf), ...(body.web_search_options ? [webSearch] : [])]),
    choice: tool_choice ? choiceOf(tool_choice) : undefined,
    outputMax: body.max_completion_tokens ?? body.max_tokens ?? undefined,
    stop: typeof body.stop === 'string' ? [body.stop] : (body.stop ?? undefined),
    logprobs: body.logprobs ? (body.top_logprobs ?? 0) : undefined,
    format: formatOf(response_format),
    effort: body.reasoning_effort === 'none' ? undefined : (body.reasoning_effort ?? undefined),
    thinkingDisabled: body.reasoning_effort === 'none' || undefined,
    adaptive: thinking?.type === 'adaptive' || undefined,
    budget: body.reasoning?.max_tokens,
    audioOutput: audio ? { voice: String(audio.voice), format: audio.format } : undefined,
    unknown: brand_new_field === undefined ? undefined : { brand_new_field },
  })
}

const webSearch: Tool = { server: 'web-search' }

const plain = (body: Body): Partial<NeutralRequest> =>
  definedFields(
    Object.fromEntries(Object.entries(fields).map(([fact, name]) => [fact, body[name]])),
  )

const turnsOf = (messages: readonly Message[]): Turn[] => {
  const turns: Turn[] = []
  const names = new Map<string, string>()
  for (const message of messages) {
    const { role } = message
    if (role === 'user') turns.push({ from: 'user', pieces: contentOf(message.content) })
    if (role === 'assistant') {
      const pieces = assistantOf(message)
      for (const piece of pieces) if ('call' in piece) names.set(piece.id, piece.call)
      turns.push({ from: 'model', pieces })
    }
    if (role !== 'tool') continue
    const {
      tool_call_id: result,
      content,
      is_error,
    } = message as typeof message & { is_error?: true }
    const piece: Piece = definedFields({
      result,
      toolName: names.get(result) ?? '',
      pieces: contentOf(content),
      failed: is_error,
    })
    const last = turns.at(-1)
    if (last?.from === 'tool') last.pieces.push(piece)
    else turns.push({ from: 'tool', pieces: [piece] })
  }
  return turns
}

const assistantOf = (message: Assistant): Piece[] => [
  ...thoughtsOf(message),
  ...contentOf(message.content ?? '').map(each => ({ ...each, ...proofIn(message) })),
  ...(message.refusal ? [{ refusal: message.refusal }] : []),
  ...(message.tool_calls ?? []).flatMap(callOf),
]

const callOf = (call: OpenAI.ChatCompletionMessageToolCall & Signed): Piece[] => {
  if (call.type !== 'function') return []
  const { name, arguments: text } = call.function
  return [{ call: name, id: call.id, input: JSON.parse(text), ...proofIn(call) }]
}

const proofIn = ({ extra_content }: Signed) =>
  definedFields({ signature: extra_content?.google?.thought_signature })

const thoughtsOf = ({ reasoning_content, reasoning_details = [] }: Assistant): Piece[] => {
  if (reasoning_details.length === 0)
    return reasoning_content ? [{ thinking: reasoning_content }] : []
  const thinking = reasoning_content ?? ''
  return reasoning_details.map(({ text, signature, data }) =>
    // In a stream the text is sent next to the details.
    definedFields({
      thinking: data ? '' : text || thinking,
      signature: signature ?? data,
      hidden: data ? (true as const) : undefined,
    }),
  )
}

/** Each part of an instruction is one for itself. */
const textsOf = (content: unknown): string[] =>
  typeof content === 'string' ? [content] : (content as { text: string }[]).map(({ text }) => text)

const contentOf = (content: string | readonly Part[]): Piece[] => {
  if (typeof content === 'string') return content === '' ? [] : [{ text: content }]
  return content.map(pieceOf)
}

const pieceOf = (part: Part): Piece => {
  switch (part.type) {
    case 'text':
      return definedFields({
        text: part.text,
        cache: part.cache_control && (part.cache_control.ttl ?? '5m'),
      })
    case 'image_url':
      return { image: mediaOf(part.image_url.url, 'image/*') }
    case 'input_audio':
      return { audio: { mime: `audio/${part.input_audio.format}`, data: part.input_audio.data } }
    case 'file':
      return {
        file: definedFields({
          ...mediaOf(part.file.file_data ?? '', 'application/pdf'),
          name: part.file.filename,
        }),
      }
    case 'refusal':
      return { refusal: part.refusal }
  }
}

const mediaOf = (address: string, kind: string): Media => {
  const [, mime, data] = /^data:([^;]+);base64,(.*)$/s.exec(address) ?? []
  return mime && data ? { mime, data } : { mime: kind, url: address }
}

const toolOf = (tool: OpenAI.ChatCompletionTool & Mark): Tool[] => {
  if (tool.type !== 'function') return []
  const { name, description = '', parameters = {}, strict } = tool.function
  const cache = tool.cache_control && (tool.cache_control.ttl ?? '5m')
  return [
    definedFields({
      name,
      description: description,
      schema: parameters,
      strict: strict ?? undefined,
      cache,
    }),
  ]
}

const choiceOf = (choice: OpenAI.ChatCompletionToolChoiceOption): NeutralRequest['choice'] => {
  if (typeof choice === 'string') return choice
  return choice.type === 'function' ? { tool: choice.function.name } : undefined
}

const formatOf = (format: Body['response_format']): NeutralRequest['format'] => {
  if (format?.type === 'json_object') return 'json'
  if (format?.type !== 'json_schema') return undefined
  const { name, schema = {}, strict } = format.json_schema
  return definedFields({ name, schema, strict: strict ?? undefined })
}
