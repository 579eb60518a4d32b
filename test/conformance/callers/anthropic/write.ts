import type Anthropic from '@anthropic-ai/sdk'
import type { ClientCall } from '../../cell.ts'
import {
  definedFields,
  type Media,
  type NeutralRequest,
  nonEmpty,
  type Piece,
  type Result,
  type Tool,
  type Turn,
} from '../../neutral.ts'

export type Params = Anthropic.MessageCreateParams & Record<string, unknown>
type Message = Anthropic.MessageParam
type Block = Anthropic.ContentBlockParam

/** https://platform.claude.com/docs/en/api/messages/create */
export const paramsOf = ({ model, request, before = [] }: ClientCall): Params => {
  const first = before[0]?.request ?? request
  const messages: Message[] = [
    ...before.flatMap(each => [
      ...each.request.turns.map(messageOf),
      each.received.native as Message,
    ]),
    ...request.turns.map(messageOf),
  ]
  const params = { ...settingsOf(first), model, messages, max_tokens: first.outputMax ?? 4_000 }
  // With words of other dialects among them, which its types do not know.
  return params as Params
}

const messageOf = ({ from, pieces }: Turn): Message => ({
  role: from === 'model' ? 'assistant' : 'user',
  content: pieces.map(blockOf),
})

const blockOf = (piece: Piece): Block => {
  if ('text' in piece)
    return definedFields({ type: 'text', text: piece.text, cache_control: markOf(piece.cache) })
  if ('image' in piece) return { type: 'image', source: imageOf(piece.image) }
  if ('file' in piece)
    return definedFields({
      type: 'document',
      source: documentOf(piece.file),
      title: piece.file.name,
    })
  if ('call' in piece)
    return { type: 'tool_use', id: piece.id, name: piece.call, input: piece.input }
  if ('result' in piece) return resultOf(piece)
  // Messages has no audio: the caller sends the block of openai-chat.
  if ('audio' in piece)
    return {
      type: 'input_audio',
      input_audio: { data: piece.audio.data, format: 'wav' },
    } as unknown as Block
  throw new Error(`no block: ${Object.keys(piece)[0]}`)
}

const resultOf = ({ result, pieces, failed }: Result): Block =>
  definedFields({
    type: 'tool_result',
    tool_use_id: result,
    content: pieces.map(blockOf) as Anthropic.ToolResultBlockParam['content'],
    is_error: failed,
  })

const imageOf = ({ mime, data, url }: Media): Anthropic.ImageBlockParam['source'] =>
  url === undefined
    ? { type: 'base64', media_type: mime as 'image/png', data: data ?? '' }
    : { type: 'url', url }

const documentOf = ({ data, url }: Media): Anthropic.DocumentBlockParam['source'] =>
  url === undefined
    ? { type: 'base64', media_type: 'application/pdf', data: data ?? '' }
    : { type: 'url', url }

const markOf = (ttl: '5m' | '1h' | undefined) => ttl && { type: 'ephemeral' as const, ttl }

const toolOf = (tool: Tool): Anthropic.ToolUnion =>
  'server' in tool
    ? { type: 'web_search_20250305', name: 'web_search' }
    : definedFields({
        name: tool.name,
        description: tool.description,
        input_schema: tool.schema as Anthropic.Tool['input_schema'],
        strict: tool.strict,
        cache_control: markOf(tool.cache),
      })

const settingsOf = (request: NeutralRequest) => {
  const { system, tools = [], choice, parallel, format, user } = request
  return definedFields({
    ...request.unknown,
    ...foreign(request),
    system: system?.map(text => ({ type: 'text' as const, text })),
    tools: nonEmpty(tools.map(toolOf)),
    tool_choice: choiceOf(choice, parallel),
    temperature: request.temperature,
    top_p: request.topP,
    top_k: request.topK,
    stop_sequences: request.stop,
    thinking: thinkingOf(request),
    output_config: outputOf(request.effort, format),
    metadata: user === undefined ? undefined : { user_id: user },
    service_tier: request.tier,
  })
}

const choices = { auto: 'auto', none: 'none', required: 'any' } as const

const choiceOf = (choice: NeutralRequest['choice'], parallel: boolean | undefined) => {
  const disable = parallel === undefined ? undefined : !parallel
  if (choice === undefined && disable === undefined) return undefined
  const one = definedFields({ disable_parallel_tool_use: disable })
  if (typeof choice === 'object') return { type: 'tool' as const, name: choice.tool, ...one }
  return { type: choices[choice ?? 'auto'], ...one }
}

const thinkingOf = ({ budget, adaptive, thinkingDisabled, thoughtsShown }: NeutralRequest) => {
  if (thinkingDisabled) return { type: 'disabled' as const }
  if (budget !== undefined) return { type: 'enabled' as const, budget_tokens: budget }
  if (thoughtsShown) return { type: 'adaptive' as const, display: 'summarized' as const }
  return adaptive ? { type: 'adaptive' as const } : undefined
}

const outputOf = (effort: string | undefined, format: NeutralRequest['format']) => {
  const schema =
    typeof format === 'object' ? { type: 'json_schema', schema: format.schema } : undefined
  return effort || schema ? definedFields({ effort, format: schema }) : undefined
}

/** No words of this dialect: openai-chat's. */
const foreign = (request: NeutralRequest) =>
  definedFields({
    seed: request.seed,
    n: request.n,
    presence_penalty: request.presencePenalty,
    frequency_penalty: request.frequencyPenalty,
    logprobs: request.logprobs === undefined ? undefined : true,
    top_logprobs: request.logprobs,
    response_format: request.format === 'json' ? { type: 'json_object' } : undefined,
    modalities: request.audioOutput ? ['text', 'audio'] : undefined,
    audio: request.audioOutput,
    notes: request.metadata,
  })
