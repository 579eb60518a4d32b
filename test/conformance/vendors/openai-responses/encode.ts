import type OpenAI from 'openai'
import { frame } from '../../../upstream/dialects/chat.ts'
import {
  definedFields,
  type Logprob,
  type NeutralResponse,
  nonEmpty,
  type Piece,
  type TextPiece,
  type ThinkingPiece,
  type Usage,
} from '../../neutral.ts'
import { cut } from '../cut.ts'
import { openaiRefusal } from '../openai-errors.ts'

// https://platform.openai.com/docs/api-reference/responses/object and /responses-streaming
type Item = OpenAI.Responses.ResponseOutputItem
type Message = OpenAI.Responses.ResponseOutputMessage
type CellState = { type: string } & Record<string, unknown>

const itemOf = (piece: Piece, at: number, response: NeutralResponse): Item => {
  const idOf = (kind: string) => `${kind}_68af4030baa48193b0b43b4c2a176a1a${at}`
  const message = (...content: Message['content']): Item => ({
    ...{ id: idOf('msg'), type: 'message', status: 'completed', role: 'assistant', content },
  })
  if ('text' in piece) return message(wordsOf(piece, response.logprobs))
  if ('refusal' in piece) return message({ type: 'refusal', refusal: piece.refusal })
  if ('thinking' in piece) return thoughtOf(piece, idOf('rs'))
  if ('call' in piece) {
    const { call: name, id: call_id, input } = piece
    const fields = { call_id, name, arguments: JSON.stringify(input) }
    return { id: idOf('fc'), type: 'function_call', status: 'completed', ...fields }
  }
  if ('server' in piece) {
    // https://platform.openai.com/docs/guides/tools-web-search#output-and-citations
    const action = { type: 'search' as const, query: 'weather in Paris' }
    return { id: idOf('ws'), type: 'web_search_call', status: 'completed', action }
  }
  if (!('image' in piece)) throw new Error(`this vendor cannot say ${Object.keys(piece)[0]}`)
  // https://platform.openai.com/docs/guides/image-generation?api=responses
  const fields = { result: piece.image.data ?? '', output_format: 'png' as const }
  return { id: idOf('ig'), type: 'image_generation_call', status: 'completed', ...fields }
}

const wordsOf = ({ text, sources = [] }: TextPiece, logprobs: readonly Logprob[] = []) => ({
  type: 'output_text' as const,
  text,
  annotations: sources.map(({ url, title }) => ({
    ...{ type: 'url_citation' as const, start_index: 0, end_index: text.length, url, title },
  })),
  logprobs: logprobs.map(each => ({
    ...each,
    bytes: [...Buffer.from(each.token)],
    top_logprobs: [],
  })),
})

/** https://platform.openai.com/docs/guides/reasoning#encrypted-reasoning-items */
const thoughtOf = ({ thinking, signature, hidden }: ThinkingPiece, id: string): Item => ({
  ...{ id, type: 'reasoning' },
  summary: hidden ? [] : [{ type: 'summary_text', text: thinking }],
  ...(signature ? { encrypted_content: signature } : {}),
})

const usageOf = ({ input, output, cacheRead = 0, cacheWrite = 0, reasoning = 0 }: Usage) => ({
  input_tokens: input + cacheRead + cacheWrite,
  input_tokens_details: definedFields({
    cached_tokens: cacheRead,
    cache_write_tokens: nonEmpty(cacheWrite),
  }),
  output_tokens: output + reasoning,
  output_tokens_details: { reasoning_tokens: reasoning },
  total_tokens: input + cacheRead + cacheWrite + output + reasoning,
})

const responseOf = (response: NeutralResponse, model: string, state: object) => ({
  id: 'resp_68af4030592c81938ec0a5fbab4a3e9f05438e46b5f69a3b',
  object: 'response',
  created_at: 1_756_315_696,
  completed_at: null,
  background: false,
  error: null,
  frequency_penalty: 0,
  incomplete_details: null,
  instructions: null,
  max_output_tokens: null,
  max_tool_calls: null,
  metadata: {},
  model,
  parallel_tool_calls: true,
  presence_penalty: 0,
  previous_response_id: null,
  prompt_cache_key: null,
  safety_identifier: null,
  reasoning: { effort: null, summary: null },
  service_tier: response.tier ?? 'default',
  store: false,
  temperature: 1,
  text: { format: { type: 'text' } },
  tool_choice: 'auto',
  tools: [],
  top_logprobs: 0,
  top_p: 1,
  truncation: 'disabled',
  usage: null,
  user: null,
  ...definedFields({ others: response.others }),
  ...response.unknown,
  ...state,
})

/** How it ended: a response knows two words for one that is not whole. */
const endOf = ({ finish }: NeutralResponse) => {
  const incomplete = (reason: string) => ({ status: 'incomplete', incomplete_details: { reason } })
  if (finish === 'length') return incomplete('max_output_tokens')
  return finish === 'filter'
    ? incomplete('content_filter')
    : { status: 'completed', completed_at: 1_756_315_697 }
}

const outputOf = (response: NeutralResponse): Item[] =>
  (response.pieces ?? []).map((piece, at) => itemOf(piece, at, response))

export const wholeOf = (response: NeutralResponse, model: string) =>
  responseOf(response, model, {
    ...endOf(response),
    output: outputOf(response),
    usage: usageOf(response.usage ?? { input: 20, output: 6 }),
  })

export const framesOf = (response: NeutralResponse, model: string): string[] => {
  const begun = responseOf(response, model, { status: 'in_progress', output: [] })
  const last: CellState = response.refusal
    ? { type: 'error', ...openaiRefusal(response.refusal) }
    : { type: `response.${endOf(response).status}`, response: wholeOf(response, model) }
  const events: CellState[] = [
    { type: 'response.created', response: begun },
    { type: 'response.in_progress', response: begun },
    ...outputOf(response).flatMap((item, output_index) =>
      stateOf(item, response).map(({ type, ...fields }) => ({ type, output_index, ...fields })),
    ),
    last,
  ]
  return events.map(
    ({ type, ...fields }, sequence_number) =>
      `event: ${type}\n${frame({ type, sequence_number, ...fields })}`,
  )
}

/** An item opens, grows in pieces, and is whole; one that breaks off is never whole. */
const stateOf = (item: Item, response: NeutralResponse): CellState[] => {
  const added = { type: 'response.output_item.added', item: openingOf(item) }
  const done = { type: 'response.output_item.done', item }
  const grown = growthOf(item, response).map(({ type, ...fields }) => ({
    ...{ type, item_id: item.id, ...fields },
  }))
  if (!response.refusal) return [added, ...grown, done]
  return [added, ...grown.filter(({ type }) => !type.endsWith('.done'))]
}

const openingOf = (item: Item): object => {
  if (item.type === 'message') return { ...item, status: 'in_progress', content: [] }
  if (item.type === 'reasoning') return { ...item, summary: [], encrypted_content: '' }
  if (item.type === 'function_call') return { ...item, status: 'in_progress', arguments: '' }
  if (item.type === 'image_generation_call')
    return { id: item.id, type: item.type, status: 'in_progress', result: null }
  return { ...item, status: 'in_progress' }
}

const growthOf = (item: Item, response: NeutralResponse): CellState[] => {
  switch (item.type) {
    case 'message':
      return item.content.flatMap((part, content_index) => partsOf(part, content_index, response))
    case 'reasoning':
      return item.summary.flatMap((part, summary_index) => [
        {
          ...{ type: 'response.reasoning_summary_part.added', summary_index },
          part: { ...part, text: '' },
        },
        ...cut(part.text).map(delta => ({
          ...{ type: 'response.reasoning_summary_text.delta', summary_index, delta },
        })),
        { type: 'response.reasoning_summary_text.done', summary_index, text: part.text },
        { type: 'response.reasoning_summary_part.done', summary_index, part },
      ])
    case 'function_call':
      return [
        ...cut(item.arguments).map(delta => ({
          ...{ type: 'response.function_call_arguments.delta', delta },
        })),
        { type: 'response.function_call_arguments.done', arguments: item.arguments },
      ]
    case 'web_search_call':
      return ['in_progress', 'searching', 'completed'].map(step => ({
        type: `response.web_search_call.${step}`,
      }))
    default:
      return ['in_progress', 'generating', 'completed'].map(step => ({
        type: `response.image_generation_call.${step}`,
      }))
  }
}

const partsOf = (
  part: Message['content'][number],
  content_index: number,
  response: NeutralResponse,
): CellState[] => {
  if (part.type === 'refusal')
    return [
      {
        ...{ type: 'response.content_part.added', content_index },
        part: { ...part, refusal: '' },
      },
      ...cut(part.refusal).map(delta => ({
        ...{ type: 'response.refusal.delta', content_index, delta },
      })),
      { type: 'response.refusal.done', content_index, refusal: part.refusal },
      { type: 'response.content_part.done', content_index, part },
    ]
  const { text, annotations, logprobs = [] } = part
  const empty = { ...part, text: '', annotations: [], logprobs: [] }
  // One piece for each token with a log probability.
  const pieces = response.logprobs
    ? logprobs.map(each => ({ delta: each.token, logprobs: [each] }))
    : cut(text).map(delta => ({ delta, logprobs: [] }))
  return [
    { type: 'response.content_part.added', content_index, part: empty },
    ...pieces.map(piece => ({ type: 'response.output_text.delta', content_index, ...piece })),
    ...annotations.map((annotation, annotation_index) => ({
      ...{ type: 'response.output_text.annotation.added', content_index },
      ...{ annotation_index, annotation },
    })),
    { type: 'response.output_text.done', content_index, text, logprobs },
    { type: 'response.content_part.done', content_index, part },
  ]
}
