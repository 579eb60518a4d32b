import type OpenAI from 'openai'
import type { ClientCall } from '../../cell.ts'
import {
  type Call,
  definedFields,
  type Media,
  type NeutralRequest,
  type Piece,
  type Tool,
  type Turn,
} from '../../neutral.ts'

export type Params = OpenAI.ChatCompletionCreateParams & Record<string, unknown>
type Message = OpenAI.ChatCompletionMessageParam
type Content = OpenAI.ChatCompletionContentPart

/** https://platform.openai.com/docs/api-reference/chat/create */
export const paramsOf = ({ model, request, before = [] }: ClientCall): Params => {
  const first = before[0]?.request ?? request
  const messages: Message[] = [
    ...(first.system ?? []).map(content => ({ role: 'system' as const, content })),
    ...before.flatMap(each => [...messagesOf(each.request.turns), each.received.native as Message]),
    ...messagesOf(request.turns),
  ]
  return { ...settingsOf(first), model, messages }
}

/** The fields that count as the prompt: https://platform.openai.com/docs/api-reference/responses/input-tokens */
export const countedOf = ({ request: { system = [], turns } }: Pick<ClientCall, 'request'>) => ({
  instructions: system.join('\n'),
  input: turns
    .flatMap(({ pieces }) => pieces.map(piece => ('text' in piece ? piece.text : '')))
    .join('\n'),
})

const messagesOf = (turns: readonly Turn[]): Message[] =>
  turns.flatMap((turn): Message[] => {
    if (turn.from === 'tool') return turn.pieces.map(resultOf)
    if (turn.from === 'user') return [{ role: 'user', content: contentOf(turn.pieces) }]
    return [assistantOf(turn.pieces)]
  })

const assistantOf = (pieces: readonly Piece[]): Message => {
  const calls = pieces.filter(piece => 'call' in piece)
  return {
    role: 'assistant',
    content: pieces.flatMap(piece => ('text' in piece ? [piece.text] : [])).join(''),
    ...(calls.length > 0 ? { tool_calls: calls.map(callOf) } : {}),
  }
}

const callOf = ({ id, call, input }: Call) => ({
  id,
  type: 'function' as const,
  function: { name: call, arguments: JSON.stringify(input) },
})

const resultOf = (piece: Piece): Message => {
  if (!('result' in piece)) throw new Error('a tool says results')
  return {
    role: 'tool',
    tool_call_id: piece.result,
    // The reference has text only here; a careless user shows images all the same.
    content: contentOf(piece.pieces) as string,
    ...(piece.failed ? { is_error: true } : {}),
  }
}

const contentOf = (pieces: readonly Piece[]): string | Content[] => {
  const [only] = pieces
  if (pieces.length === 1 && only && 'text' in only && !only.cache) return only.text
  return pieces.map(partOf)
}

const partOf = (piece: Piece): Content => {
  if ('text' in piece)
    return { type: 'text', text: piece.text, ...(piece.cache ? markOf(piece.cache) : {}) }
  if ('image' in piece) return { type: 'image_url', image_url: { url: urlOf(piece.image) } }
  if ('file' in piece) {
    return {
      type: 'file',
      file: definedFields({ file_data: urlOf(piece.file), filename: piece.file.name }),
    }
  }
  if ('audio' in piece && piece.audio.data)
    return { type: 'input_audio', input_audio: { data: piece.audio.data, format: 'wav' } }
  throw new Error(`no content: ${Object.keys(piece)[0]}`)
}

const urlOf = ({ mime, data, url }: Media): string => url ?? `data:${mime};base64,${data}`

/** Anthropic's mark, as https://openrouter.ai/docs/features/prompt-caching takes it in this dialect. */
const markOf = (ttl: '5m' | '1h') => ({ cache_control: { type: 'ephemeral', ttl } })

const toolOf = (tool: Tool) => {
  if ('server' in tool) return []
  const { name, description, schema, strict, cache } = tool
  const definition = { name, description: description, parameters: schema }
  return [
    {
      type: 'function' as const,
      function: strict === undefined ? definition : { ...definition, strict },
      ...(cache ? markOf(cache) : {}),
    },
  ]
}

const settingsOf = (request: NeutralRequest): Record<string, unknown> => {
  const {
    tools = [],
    choice,
    format,
    audioOutput,
    logprobs,
    budget,
    adaptive,
    thinkingDisabled,
  } = request
  const own = tools.flatMap(toolOf)
  return {
    ...request.unknown,
    ...plain(request),
    ...(own.length > 0 ? { tools: own } : {}),
    // https://platform.openai.com/docs/guides/tools-web-search?api-mode=chat
    ...(tools.some(tool => 'server' in tool) ? { web_search_options: {} } : {}),
    ...(choice === undefined ? {} : { tool_choice: choiceOf(choice) }),
    ...(format === undefined ? {} : { response_format: formatOf(format) }),
    ...(logprobs === undefined ? {} : { logprobs: true, top_logprobs: logprobs }),
    ...(audioOutput ? { modalities: ['text', 'audio'], audio: audioOutput } : {}),
    // No words of this dialect: OpenRouter's for the budget, Anthropic's for the other.
    ...(budget === undefined ? {} : { reasoning: { max_tokens: budget } }),
    ...(adaptive ? { thinking: { type: 'adaptive' } } : {}),
    ...(thinkingDisabled ? { reasoning_effort: 'none' } : {}),
  }
}

/** Settings that map to one field each. */
export const fields = {
  outputMax: 'max_completion_tokens',
  temperature: 'temperature',
  topP: 'top_p',
  topK: 'top_k',
  presencePenalty: 'presence_penalty',
  frequencyPenalty: 'frequency_penalty',
  stop: 'stop',
  seed: 'seed',
  n: 'n',
  parallel: 'parallel_tool_calls',
  effort: 'reasoning_effort',
  user: 'user',
  metadata: 'metadata',
  tier: 'service_tier',
} as const satisfies Partial<Record<keyof NeutralRequest, string>>

const plain = (request: NeutralRequest) =>
  Object.fromEntries(
    Object.entries(fields).flatMap(([fact, name]) => {
      const value = request[fact as keyof typeof fields]
      return value === undefined ? [] : [[name, value]]
    }),
  )

const choiceOf = (choice: NonNullable<NeutralRequest['choice']>) =>
  typeof choice === 'string' ? choice : { type: 'function', function: { name: choice.tool } }

const formatOf = (format: NonNullable<NeutralRequest['format']>) =>
  format === 'json' ? { type: 'json_object' } : { type: 'json_schema', json_schema: format }
