import type OpenAI from 'openai'
import {
  definedFields,
  type Media,
  type NeutralRequest,
  nonEmpty,
  type Piece,
  type Tool,
  type Turn,
} from '../../neutral.ts'

// https://platform.openai.com/docs/api-reference/responses/create
type Mark = { cache_control?: { ttl?: '5m' | '1h' } }
type Item = OpenAI.Responses.ResponseInputItem
type Content =
  | OpenAI.Responses.ResponseInputContent
  | OpenAI.Responses.ResponseInputAudio
  | OpenAI.Responses.ResponseOutputText
  | OpenAI.Responses.ResponseOutputRefusal
type Body = Omit<OpenAI.Responses.ResponseCreateParams, 'stream'>

/** Fields of other dialects that pass through unchanged. */
type Foreign = {
  top_k?: number
  presence_penalty?: number
  frequency_penalty?: number
  stop?: string[]
  seed?: number
  n?: number
  audio?: NeutralRequest['audioOutput']
  thinking?: { type: string }
  reasoning?: { max_tokens?: number }
  brand_new_field?: unknown
}

export const readBody = (input: unknown): NeutralRequest => {
  const body = input as Body
  const items = itemsOf(body.input)
  const { instructions, tools = [], tool_choice: choice, reasoning, text, include } = body
  const hasLogprobs = include?.includes('message.output_text.logprobs')
  return definedFields({
    ...foreign(input as Foreign),
    system: nonEmpty([...(instructions ? [instructions] : []), ...items.flatMap(instructionsIn)]),
    turns: turnsOf(items),
    tools: nonEmpty(tools.flatMap(toolOf)),
    choice: choice ? choiceOf(choice) : undefined,
    parallel: body.parallel_tool_calls ?? undefined,
    outputMax: body.max_output_tokens ?? undefined,
    temperature: body.temperature ?? undefined,
    topP: body.top_p ?? undefined,
    logprobs: hasLogprobs ? (body.top_logprobs ?? 0) : undefined,
    format: formatOf(text?.format),
    effort: reasoning?.effort === 'none' ? undefined : (reasoning?.effort ?? undefined),
    thinkingDisabled: reasoning?.effort === 'none' || undefined,
    thoughtsShown: reasoning?.summary ? true : undefined,
    user: body.user,
    metadata: body.metadata ?? undefined,
    tier: body.service_tier ?? undefined,
  })
}

const foreign = (body: Foreign): Partial<NeutralRequest> =>
  definedFields({
    topK: body.top_k,
    presencePenalty: body.presence_penalty,
    frequencyPenalty: body.frequency_penalty,
    stop: body.stop,
    seed: body.seed,
    n: body.n,
    audioOutput: body.audio,
    adaptive: body.thinking?.type === 'adaptive' || undefined,
    budget: body.reasoning?.max_tokens,
    unknown: body.brand_new_field ? { brand_new_field: body.brand_new_field } : undefined,
  })

const itemsOf = (input: Body['input']): Item[] =>
  typeof input === 'string' ? [{ role: 'user', content: input }] : (input ?? [])

const isInstruction = (item: Item): boolean =>
  'role' in item && (item.role === 'system' || item.role === 'developer')

/** Each part of an instruction is one for itself. */
const instructionsIn = (item: Item): string[] =>
  isInstruction(item) && 'content' in item
    ? contentOf(item.content as string | Content[]).flatMap(each =>
        'text' in each ? [each.text] : [],
      )
    : []

/** Consecutive items of the model are one turn, and so are consecutive results. */
const turnsOf = (items: readonly Item[]): Turn[] => {
  const turns: Turn[] = []
  const names = new Map<string, string>()
  const add = (from: Turn['from'], pieces: Piece[]) => {
    const last = turns.at(-1)
    if (from !== 'user' && last?.from === from) last.pieces.push(...pieces)
    else turns.push({ from, pieces })
  }
  for (const item of items) {
    if (isInstruction(item)) continue
    if ('role' in item && item.role === 'user')
      add('user', contentOf(item.content as string | Content[]))
    else if (item.type === 'function_call_output') add('tool', [resultOf(item, names)])
    else {
      if (item.type === 'function_call') names.set(item.call_id, item.name)
      add('model', saidIn(item))
    }
  }
  return turns
}

type Output = OpenAI.Responses.ResponseInputItem.FunctionCallOutput

const resultOf = (item: Output, names: ReadonlyMap<string, string>): Piece => {
  const result = item.call_id ?? ''
  const { is_error: failed } = item as { is_error?: true }
  return definedFields({
    result,
    toolName: names.get(result) ?? '',
    pieces: contentOf(item.output as string | Content[]),
    failed,
  })
}

/** Items that a response of the model contains. */
const saidIn = (item: Item): Piece[] => {
  if ('role' in item && 'content' in item) return contentOf(item.content as string | Content[])
  switch (item.type) {
    case 'reasoning': {
      const { summary, content = [], encrypted_content: signature } = item
      const thinking = [...summary, ...content].map(({ text }) => text).join('')
      const hidden = summary.length + content.length === 0 || undefined
      return [definedFields({ thinking, signature: signature ?? undefined, hidden })]
    }
    case 'function_call':
      return [{ call: item.name, id: item.call_id, input: JSON.parse(item.arguments) }]
    case 'web_search_call':
      return [{ server: 'web-search' }]
    case 'image_generation_call':
      return [{ image: { mime: 'image/png', data: item.result ?? '' } }]
    default:
      throw new Error(`an item that the vendor does not take: ${item.type}`)
  }
}

const contentOf = (content: string | readonly Content[]): Piece[] => {
  if (typeof content === 'string') return content === '' ? [] : [{ text: content }]
  return content.map(pieceOf)
}

const pieceOf = (part: Content & Mark): Piece => {
  switch (part.type) {
    case 'input_text':
    case 'output_text':
      return definedFields({
        text: part.text,
        cache: part.cache_control && (part.cache_control.ttl ?? '5m'),
        sources: part.type === 'output_text' ? nonEmpty(sourcesOf(part)) : undefined,
      })
    case 'refusal':
      return { refusal: part.refusal }
    case 'input_image':
      return { image: mediaOf(part.image_url ?? '', 'image/*') }
    case 'input_file': {
      const { file_url, file_data, filename } = part
      return {
        file: definedFields({
          ...mediaOf(file_url ?? file_data ?? '', 'application/pdf'),
          name: filename,
        }),
      }
    }
    case 'input_audio':
      return { audio: { mime: `audio/${part.input_audio.format}`, data: part.input_audio.data } }
  }
}

const sourcesOf = ({ annotations }: OpenAI.Responses.ResponseOutputText) =>
  annotations.flatMap(each =>
    each.type === 'url_citation' ? [{ url: each.url, title: each.title }] : [],
  )

const mediaOf = (address: string, kind: string): Media => {
  const [, mime, data] = /^data:([^;]+);base64,(.*)$/s.exec(address) ?? []
  return mime && data ? { mime, data } : { mime: kind, url: address }
}

const toolOf = (tool: OpenAI.Responses.Tool & Mark): Tool[] => {
  if (tool.type === 'web_search') return [{ server: 'web-search' }]
  if (tool.type !== 'function') throw new Error(`a tool that nobody asked for: ${tool.type}`)
  const { name, description, parameters, strict } = tool
  const definition = { name, description: description ?? '', schema: parameters ?? {} }
  const cache = tool.cache_control && (tool.cache_control.ttl ?? '5m')
  // https://platform.openai.com/docs/api-reference/responses/create#responses-create-tools: `true` where it is absent
  return [definedFields({ ...definition, strict: strict ?? true, cache })]
}

const choiceOf = (choice: NonNullable<Body['tool_choice']>): NeutralRequest['choice'] => {
  if (typeof choice === 'string') return choice
  if (choice.type === 'function') return { tool: choice.name }
  throw new Error(`a choice that nobody asked for: ${choice.type}`)
}

const formatOf = (
  format: OpenAI.Responses.ResponseFormatTextConfig | undefined,
): NeutralRequest['format'] => {
  if (format?.type === 'json_object') return 'json'
  if (format?.type !== 'json_schema') return undefined
  const { name, schema, strict } = format
  return definedFields({ name, schema, strict: strict ?? undefined })
}
