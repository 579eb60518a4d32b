import type OpenAI from 'openai'
import type { ClientCall } from '../../cell.ts'
import {
  definedFields,
  type Media,
  type NeutralRequest,
  nonEmpty,
  type Piece,
  type Tool,
  type Turn,
} from '../../neutral.ts'

type Create = Omit<OpenAI.Responses.ResponseCreateParams, 'stream' | 'input'>
export type Params = Create & { input: Item[] } & Record<string, unknown>
type Item = OpenAI.Responses.ResponseInputItem
type Content = OpenAI.Responses.ResponseInputContent

/** https://platform.openai.com/docs/api-reference/responses/create */
export const paramsOf = ({ model, request, before = [] }: ClientCall): Params => {
  const first = before[0]?.request ?? request
  const [instructions, ...others] = first.system ?? []
  const input: Item[] = [
    ...others.map(content => ({ role: 'developer' as const, content })),
    ...before.flatMap(each => [
      ...itemsOf(each.request.turns),
      ...(each.received.native as Item[]),
    ]),
    ...itemsOf(request.turns),
  ]
  // The whole conversation is sent: none of it is kept.
  const item = {
    ...settingsOf(first),
    ...definedFields({ instructions }),
    model,
    input,
    store: false,
  }
  // With words of other dialects among them, which its types do not know.
  return item as Params
}

const itemsOf = (turns: readonly Turn[]): Item[] =>
  turns.flatMap(({ from, pieces }): Item[] => {
    if (from === 'user') return [{ role: 'user', content: contentOf(pieces) }]
    return pieces.map(itemOf)
  })

const itemOf = (piece: Piece): Item => {
  if ('text' in piece) return { role: 'assistant', content: piece.text }
  if ('call' in piece) {
    const { call: name, id: call_id, input } = piece
    return { type: 'function_call', call_id, name, arguments: JSON.stringify(input) }
  }
  if (!('result' in piece)) throw new Error(`no item: ${Object.keys(piece)[0]}`)
  const output = contentOf(piece.pieces) as string
  const item = { type: 'function_call_output' as const, call_id: piece.result, output }
  // Responses cannot mark a failed result: the caller sends Anthropic's field.
  return piece.failed ? ({ ...item, is_error: true } as Item) : item
}

const contentOf = (pieces: readonly Piece[]): string | Content[] => {
  const [only] = pieces
  if (pieces.length === 1 && only && 'text' in only && !only.cache) return only.text
  return pieces.map(partOf)
}

const partOf = (piece: Piece): Content => {
  if ('text' in piece)
    return { type: 'input_text', text: piece.text, ...(piece.cache ? markOf(piece.cache) : {}) }
  if ('image' in piece)
    return { type: 'input_image', image_url: urlOf(piece.image), detail: 'auto' }
  if ('file' in piece) return fileOf(piece.file)
  if (!('audio' in piece)) throw new Error(`no content: ${Object.keys(piece)[0]}`)
  const input_audio = { data: piece.audio.data ?? '', format: 'wav' as const }
  // The client has the type, but not among those of a message.
  const sound: OpenAI.Responses.ResponseInputAudio = { type: 'input_audio', input_audio }
  return sound as unknown as Content
}

const fileOf = (file: Media): Content =>
  definedFields({
    type: 'input_file',
    filename: file.name,
    file_url: file.url,
    file_data: file.url === undefined ? urlOf(file) : undefined,
  })

const urlOf = ({ mime, data, url }: Media): string => url ?? `data:${mime};base64,${data}`

/** Anthropic's mark, as https://openrouter.ai/docs/features/prompt-caching takes it in another dialect. */
const markOf = (ttl: '5m' | '1h') => ({ cache_control: { type: 'ephemeral', ttl } })

const toolOf = (tool: Tool): OpenAI.Responses.Tool => {
  if ('server' in tool) return { type: 'web_search' }
  const { name, description, schema, strict = false, cache } = tool
  const item = { name, description: description, parameters: schema, strict }
  return { type: 'function', ...item, ...(cache ? markOf(cache) : {}) }
}

const settingsOf = (request: NeutralRequest) => {
  const { tools = [], choice, format, logprobs } = request
  return definedFields({
    ...request.unknown,
    ...foreign(request),
    tools: nonEmpty(tools.map(toolOf)),
    tool_choice: typeof choice === 'object' ? { type: 'function', name: choice.tool } : choice,
    parallel_tool_calls: request.parallel,
    max_output_tokens: request.outputMax,
    temperature: request.temperature,
    top_p: request.topP,
    top_logprobs: logprobs,
    include: includeOf(request),
    text: format && { format: formatOf(format) },
    reasoning: reasoningOf(request),
    user: request.user,
    metadata: request.metadata,
    service_tier: request.tier,
  })
}

/** Encrypted thoughts come with the answer where nothing of it is kept. */
const includeOf = ({ effort, logprobs }: NeutralRequest): string[] | undefined =>
  nonEmpty([
    ...(effort === undefined ? [] : ['reasoning.encrypted_content']),
    ...(logprobs === undefined ? [] : ['message.output_text.logprobs']),
  ])

const formatOf = (format: NonNullable<NeutralRequest['format']>) =>
  format === 'json' ? { type: 'json_object' } : { type: 'json_schema', ...format }

/** The budget is OpenRouter's word for it: this dialect has none. */
const reasoningOf = ({ effort, thinkingDisabled, thoughtsShown, budget }: NeutralRequest) => {
  const item = definedFields({
    effort: thinkingDisabled ? 'none' : effort,
    summary: thoughtsShown ? 'auto' : undefined,
    max_tokens: budget,
  })
  return Object.keys(item).length > 0 ? item : undefined
}

/** No words of this dialect: openai-chat's, and Anthropic's for what neither has. */
const foreign = (request: NeutralRequest) =>
  definedFields({
    top_k: request.topK,
    presence_penalty: request.presencePenalty,
    frequency_penalty: request.frequencyPenalty,
    stop: request.stop,
    seed: request.seed,
    n: request.n,
    modalities: request.audioOutput ? ['text', 'audio'] : undefined,
    audio: request.audioOutput,
    thinking: request.adaptive ? { type: 'adaptive' } : undefined,
  })
