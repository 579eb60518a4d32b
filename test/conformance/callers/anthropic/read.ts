import type Anthropic from '@anthropic-ai/sdk'
import type { ClientResponse } from '../../cell.ts'
import {
  definedFields,
  type Finish,
  type Logprob,
  nonEmpty,
  type Piece,
  type Source,
  type Usage,
} from '../../neutral.ts'

const finishes: Readonly<Record<string, Finish>> = {
  end_turn: 'stop',
  max_tokens: 'length',
  stop_sequence: 'sequence',
  tool_use: 'tools',
  refusal: 'refusal',
}

/** With what a vendor of another dialect might add, and the client lets through. */
type More = { brand_new_answer?: unknown; logprobs?: Logprob[]; others?: Piece[][] }

export const readMessage = (message: Anthropic.Message): ClientResponse => {
  const { content, stop_reason, stop_sequence, usage } = message
  const { brand_new_answer, logprobs, others } = message as Anthropic.Message & More
  return definedFields({
    native: { role: 'assistant', content },
    pieces: content.flatMap(pieceOf).map(stop_reason === 'refusal' ? refused : same),
    finish: finishes[stop_reason ?? ''],
    sequence: stop_sequence ?? undefined,
    usage: usageOf(usage),
    tier: tierOf(usage),
    logprobs,
    others,
    unknown: brand_new_answer ? { brand_new_answer } : undefined,
  })
}

/** Text with this stop reason is the model's refusal. */
const refused = (piece: Piece): Piece => ('text' in piece ? { refusal: piece.text } : piece)
const same = (piece: Piece): Piece => piece

const pieceOf = (block: Anthropic.ContentBlock): Piece[] => {
  switch (block.type) {
    case 'text':
      return [
        definedFields({
          text: block.text,
          sources: nonEmpty((block.citations ?? []).flatMap(sourceOf)),
        }),
      ]
    case 'thinking':
      return [definedFields({ thinking: block.thinking, signature: nonEmpty(block.signature) })]
    case 'redacted_thinking':
      return [{ thinking: '', signature: block.data, hidden: true }]
    case 'tool_use':
      return [{ call: block.name, id: block.id, input: block.input as Record<string, unknown> }]
    case 'server_tool_use':
      return [{ server: 'web-search' }]
    default:
      return []
  }
}

const sourceOf = (citation: Anthropic.TextCitation): Source[] =>
  citation.type === 'web_search_result_location'
    ? [{ url: citation.url, title: citation.title ?? '' }]
    : []

/** The vendor's plain tier is `standard`. */
const tierOf = ({ service_tier: tier }: Anthropic.Usage) =>
  tier && tier !== 'standard' ? tier : undefined

/** Cached tokens are counted next to the input, thinking tokens inside the output. */
const usageOf = (usage: Anthropic.Usage): Usage => {
  const reasoning = usage.output_tokens_details?.thinking_tokens ?? 0
  return definedFields({
    input: usage.input_tokens,
    output: usage.output_tokens - reasoning,
    cacheRead: nonEmpty(usage.cache_read_input_tokens),
    cacheWrite: nonEmpty(usage.cache_creation_input_tokens),
    reasoning: nonEmpty(reasoning),
  })
}
