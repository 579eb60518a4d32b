import type Anthropic from '@anthropic-ai/sdk'
import {
  definedFields,
  type Media,
  type NeutralRequest,
  nonEmpty,
  type Piece,
  type Tool,
  type Turn,
} from '../../neutral.ts'

// https://platform.claude.com/docs/en/api/messages/create
type Block = Anthropic.ContentBlockParam
/** The samplers are those of models before 4.7: the client's types have them no more. */
type Body = Anthropic.MessageCreateParams & { temperature?: number; top_p?: number; top_k?: number }
type Foreign = {
  seed?: number
  n?: number
  presence_penalty?: number
  frequency_penalty?: number
  top_logprobs?: number
  response_format?: unknown
  audio?: NeutralRequest['audioOutput']
  notes?: Record<string, string>
  brand_new_field?: unknown
}

export const readBody = (input: unknown): NeutralRequest => {
  const body = input as Body
  const { tool_choice: choice, thinking, output_config: output } = body
  const { system = [], tools = [] } = body
  const disabled =
    choice && 'disable_parallel_tool_use' in choice ? choice.disable_parallel_tool_use : undefined
  const facts: NeutralRequest = definedFields({
    ...foreign(input as Foreign),
    system: nonEmpty(typeof system === 'string' ? [system] : system.map(each => each.text)),
    turns: turnsOf(body.messages),
    tools: nonEmpty(tools.map(tool => toolOf(tool as Anthropic.Tool))),
    choice: choice && choiceOf(choice),
    parallel: typeof disabled === 'boolean' ? !disabled : undefined,
    outputMax: body.max_tokens,
    temperature: body.temperature,
    topP: body.top_p,
    topK: body.top_k,
    stop: body.stop_sequences,
    user: body.metadata?.user_id ?? undefined,
    tier: body.service_tier,
    effort: output?.effort ?? undefined,
    format: output?.format
      ? { name: 'answer', schema: output.format.schema }
      : formatIn(input as Foreign),
    budget: thinking?.type === 'enabled' ? thinking.budget_tokens : undefined,
    adaptive: thinking?.type === 'adaptive' || undefined,
    thinkingDisabled: thinking?.type === 'disabled' || undefined,
    thoughtsShown:
      (thinking && 'display' in thinking && thinking.display === 'summarized') || undefined,
  })
  return facts
}

/** Fields of other dialects that pass through unchanged. */
const foreign = (body: Foreign): Partial<NeutralRequest> =>
  definedFields({
    seed: body.seed,
    n: body.n,
    presencePenalty: body.presence_penalty,
    frequencyPenalty: body.frequency_penalty,
    logprobs: body.top_logprobs,
    audioOutput: body.audio,
    metadata: body.notes,
    unknown: body.brand_new_field ? { brand_new_field: body.brand_new_field } : undefined,
  })

const formatIn = (body: Foreign): NeutralRequest['format'] =>
  body.response_format ? 'json' : undefined

/** Results are part of the user message; neutral requests have a turn for them. */
const turnsOf = (messages: readonly Anthropic.MessageParam[]): Turn[] => {
  const names = new Map<string, string>()
  return messages.flatMap(({ role, content }): Turn[] => {
    const blocks: Block[] =
      typeof content === 'string' ? [{ type: 'text', text: content }] : content
    for (const block of blocks) if (block.type === 'tool_use') names.set(block.id, block.name)
    const pieces = blocks.flatMap(block => pieceOf(block, names))
    if (role === 'assistant') return [{ from: 'model', pieces }]
    const results = pieces.filter(piece => 'result' in piece)
    const rest = pieces.filter(piece => !('result' in piece))
    return [
      ...(results.length > 0 ? [{ from: 'tool' as const, pieces: results }] : []),
      ...(rest.length > 0 ? [{ from: 'user' as const, pieces: rest }] : []),
    ]
  })
}

const pieceOf = (block: Block, names: ReadonlyMap<string, string>): Piece[] => {
  switch (block.type) {
    case 'text':
      return [
        definedFields({
          text: block.text,
          cache: markOf(block),
          sources: nonEmpty(sourcesOf(block)),
        }),
      ]
    case 'image':
      return [{ image: mediaOf(block.source as Source, 'image/*') }]
    case 'document':
      return [
        {
          file: definedFields({
            ...mediaOf(block.source as Source, 'application/pdf'),
            name: block.title ?? undefined,
          }),
        },
      ]
    case 'thinking':
      return [definedFields({ thinking: block.thinking, signature: nonEmpty(block.signature) })]
    case 'redacted_thinking':
      return [{ thinking: '', signature: block.data, hidden: true }]
    case 'tool_use':
      return [{ call: block.name, id: block.id, input: block.input as Record<string, unknown> }]
    case 'tool_result': {
      const { tool_use_id: result, content = [], is_error } = block
      const blocks =
        typeof content === 'string' ? [{ type: 'text' as const, text: content }] : content
      const pieces = blocks.flatMap(each => pieceOf(each as Block, names))
      return [
        definedFields({
          result,
          toolName: names.get(result) ?? '',
          pieces,
          failed: is_error || undefined,
        }),
      ]
    }
    case 'server_tool_use':
      return [{ server: 'web-search' }]
    case 'web_search_tool_result':
      return []
    default:
      return foreignOf(block as unknown as { input_audio?: { data: string; format: string } })
  }
}

const foreignOf = ({
  input_audio: audio,
}: {
  input_audio?: { data: string; format: string }
}): Piece[] => (audio ? [{ audio: { mime: `audio/${audio.format}`, data: audio.data } }] : [])

const markOf = ({
  cache_control: mark,
}: {
  cache_control?: Anthropic.CacheControlEphemeral | null
}) => (mark ? (mark.ttl ?? '5m') : undefined)

const sourcesOf = ({ citations }: Anthropic.TextBlockParam) =>
  (citations ?? []).flatMap(each =>
    each.type === 'web_search_result_location' ? [{ url: each.url, title: each.title ?? '' }] : [],
  )

type Source = { type: 'base64'; media_type: string; data: string } | { type: 'url'; url: string }

const mediaOf = (source: Source, kind: string): Media =>
  source.type === 'base64'
    ? { mime: source.media_type, data: source.data }
    : { mime: kind, url: source.url }

const toolOf = (tool: Anthropic.Tool): Tool =>
  (tool.type as string | undefined)?.startsWith('web_search')
    ? { server: 'web-search' }
    : definedFields({
        name: tool.name,
        description: tool.description ?? '',
        schema: tool.input_schema as Record<string, unknown>,
        strict: tool.strict ?? undefined,
        cache: markOf(tool),
      })

const choices = { auto: 'auto', none: 'none', any: 'required' } as const

const choiceOf = (choice: Anthropic.ToolChoice): NeutralRequest['choice'] =>
  choice.type === 'tool' ? { tool: choice.name } : choices[choice.type]
