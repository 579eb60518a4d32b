import { frame } from '../../../upstream/dialects/chat.ts'
import {
  definedFields,
  type Finish,
  type NeutralResponse,
  type Piece,
  type Usage,
} from '../../neutral.ts'
import { cut } from '../cut.ts'
import { errorBody } from './error.ts'

// https://platform.claude.com/docs/en/api/messages and /build-with-claude/streaming
const words: Readonly<Record<Finish, string>> = {
  stop: 'end_turn',
  length: 'max_tokens',
  tools: 'tool_use',
  sequence: 'stop_sequence',
  refusal: 'refusal',
  filter: 'refusal',
}

type Block = Record<string, unknown> & { type: string }

const blocksOf = (piece: Piece): Block[] => {
  if ('text' in piece)
    return [{ type: 'text', text: piece.text, citations: piece.sources?.map(citationOf) ?? null }]
  if ('refusal' in piece) return [{ type: 'text', text: piece.refusal, citations: null }]
  if ('thinking' in piece)
    return piece.hidden
      ? [{ type: 'redacted_thinking', data: piece.signature }]
      : [{ type: 'thinking', thinking: piece.thinking, signature: piece.signature ?? '' }]
  if ('call' in piece)
    return [{ type: 'tool_use', id: piece.id, name: piece.call, input: piece.input }]
  if ('server' in piece) return searched
  throw new Error(`this vendor cannot say ${Object.keys(piece)[0]}`)
}

/** https://platform.claude.com/docs/en/agents-and-tools/tool-use/web-search-tool#response */
const searched: Block[] = [
  {
    type: 'server_tool_use',
    id: 'srvtoolu_01WYG3ziw53XMcoyKL4XcZmE',
    name: 'web_search',
    input: { query: 'claude shannon birth date' },
  },
  {
    type: 'web_search_tool_result',
    tool_use_id: 'srvtoolu_01WYG3ziw53XMcoyKL4XcZmE',
    content: [
      {
        type: 'web_search_result',
        url: 'https://en.wikipedia.org/wiki/Claude_Shannon',
        title: 'Claude Shannon - Wikipedia',
        encrypted_content: 'EqgfCioIARgBIiQ3YTAwMjY1Mi1mZjM5LTQ1NGUtODgxNC1kNjNjNTk1ZWI3Y',
        page_age: 'April 30, 2025',
      },
    ],
  },
]

const citationOf = ({ url, title }: { url: string; title: string }) => ({
  ...{ type: 'web_search_result_location', url, title },
  encrypted_index: 'Eo8BCioIAhgBIiQyYjQ0OWJmZi1lNm',
  cited_text: 'It rains since the morning.',
})

const usageOf = (
  { input, output, cacheRead = 0, cacheWrite = 0, reasoning = 0 }: Usage,
  response: NeutralResponse,
) => ({
  input_tokens: input,
  cache_creation_input_tokens: cacheWrite,
  cache_read_input_tokens: cacheRead,
  cache_creation: { ephemeral_5m_input_tokens: cacheWrite, ephemeral_1h_input_tokens: 0 },
  output_tokens: output + reasoning,
  ...(reasoning > 0 ? { output_tokens_details: { thinking_tokens: reasoning } } : {}),
  service_tier: response.tier ?? 'standard',
})

const messageOf = (response: NeutralResponse, model: string) => {
  const { usage = { input: 20, output: 6 }, finish = 'stop', pieces = [] } = response
  return {
    id: 'msg_01XFDUDYJgAACzvnptvVoYEL',
    type: 'message',
    role: 'assistant',
    model,
    content: pieces.flatMap(blocksOf),
    // https://platform.claude.com/docs/en/build-with-claude/handling-stop-reasons#refusal
    stop_reason: pieces.some(piece => 'refusal' in piece) ? 'refusal' : words[finish],
    stop_sequence: response.sequence ?? null,
    usage: usageOf(usage, response),
    ...definedFields({ logprobs: response.logprobs, others: response.others }),
    ...response.unknown,
  }
}

export const wholeOf = messageOf

export const framesOf = (response: NeutralResponse, model: string): string[] => {
  const event = (type: string, fields: object) => `event: ${type}\n${frame({ type, ...fields })}`
  const { content, stop_reason, stop_sequence, usage, ...facts } = messageOf(response, model)
  const start = { ...facts, content: [], stop_reason: null, stop_sequence: null }
  return [
    event('message_start', { message: { ...start, usage: { ...usage, output_tokens: 1 } } }),
    ...content.flatMap((block, index) => [
      event('content_block_start', { index, content_block: openingOf(block) }),
      ...(index === 0 ? [event('ping', {})] : []),
      ...deltasOf(block).map(delta => event('content_block_delta', { index, delta })),
      ...(response.refusal ? [] : [event('content_block_stop', { index })]),
    ]),
    ...(response.refusal
      ? [`event: error\n${frame(errorBody(response.refusal))}`]
      : [
          event('message_delta', { delta: { stop_reason, stop_sequence }, usage }),
          event('message_stop', {}),
        ]),
  ]
}

const openingOf = (block: Block): Block => {
  if (block.type === 'text') return { ...block, text: '', citations: null }
  if (block.type === 'thinking') return { ...block, thinking: '', signature: '' }
  return block.type === 'tool_use' || block.type === 'server_tool_use'
    ? { ...block, input: {} }
    : block
}

const deltasOf = ({ type, text, citations, thinking, signature, input }: Block): object[] => {
  if (type === 'text')
    return [
      ...((citations ?? []) as object[]).map(citation => ({ type: 'citations_delta', citation })),
      ...cut(String(text)).map(piece => ({ type: 'text_delta', text: piece })),
    ]
  if (type === 'thinking')
    return [
      ...cut(String(thinking)).map(piece => ({ type: 'thinking_delta', thinking: piece })),
      ...(signature ? [{ type: 'signature_delta', signature }] : []),
    ]
  if (!input) return []
  const pieces = ['', ...cut(JSON.stringify(input))]
  return pieces.map(partial_json => ({ type: 'input_json_delta', partial_json }))
}
