import type OpenAI from 'openai'
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

type Response = OpenAI.Responses.Response
type Item = OpenAI.Responses.ResponseOutputItem
type Content = OpenAI.Responses.ResponseOutputText | OpenAI.Responses.ResponseOutputRefusal

/** With what a vendor of another dialect might add, and the client lets through. */
type More = { brand_new_answer?: unknown; others?: Piece[][] }

export const readResponse = (response: Response): ClientResponse => {
  const { output, usage, service_tier: tier } = response
  const { brand_new_answer, others } = response as Response & More
  return definedFields({
    native: output,
    pieces: output.flatMap(piecesOf),
    finish: finishOf(response),
    usage: usage && usageOf(usage),
    logprobs: nonEmpty(output.flatMap(logprobsOf)),
    tier: tier && tier !== 'default' && tier !== 'auto' ? tier : undefined,
    others,
    unknown: brand_new_answer ? { brand_new_answer } : undefined,
  })
}

/** Responses has no finish for calls: they are items of a completed response. */
const finishOf = ({
  status,
  incomplete_details: details,
  output,
}: Response): Finish | undefined => {
  if (status === 'incomplete') return details?.reason === 'content_filter' ? 'filter' : 'length'
  if (status !== 'completed') return undefined
  return output.some(({ type }) => type === 'function_call') ? 'tools' : 'stop'
}

const piecesOf = (item: Item): Piece[] => {
  switch (item.type) {
    case 'message':
      return item.content.map(contentOf)
    case 'reasoning':
      return [thoughtOf(item)]
    case 'function_call':
      return [{ call: item.name, id: item.call_id, input: JSON.parse(item.arguments) }]
    case 'web_search_call':
      return [{ server: 'web-search' }]
    case 'image_generation_call':
      return [{ image: { mime: `image/${item.output_format ?? 'png'}`, data: item.result ?? '' } }]
    default:
      throw new Error(`an item that nobody asked for: ${item.type}`)
  }
}

const contentOf = (part: Content): Piece => {
  if (part.type === 'refusal') return { refusal: part.refusal }
  const sources: Source[] = part.annotations.flatMap(each =>
    each.type === 'url_citation' ? [{ url: each.url, title: each.title }] : [],
  )
  return definedFields({ text: part.text, sources: nonEmpty(sources) })
}

const thoughtOf = (item: OpenAI.Responses.ResponseReasoningItem): Piece => {
  const { summary, content = [], encrypted_content: signature } = item
  const thinking = [...summary, ...content].map(({ text }) => text).join('')
  return definedFields({
    thinking,
    signature: signature ?? undefined,
    hidden: summary.length + content.length === 0 || undefined,
  })
}

const logprobsOf = (item: Item): Logprob[] =>
  item.type === 'message'
    ? item.content.flatMap(part =>
        part.type === 'output_text'
          ? (part.logprobs ?? []).map(({ token, logprob }) => ({ token, logprob }))
          : [],
      )
    : []

/** Cached tokens are counted inside the input, thinking tokens inside the output. */
const usageOf = (usage: OpenAI.Responses.ResponseUsage): Usage => {
  const { cached_tokens: cacheRead, cache_write_tokens: cacheWrite = 0 } =
    usage.input_tokens_details
  const { reasoning_tokens: reasoning } = usage.output_tokens_details
  return definedFields({
    input: usage.input_tokens - cacheRead - cacheWrite,
    output: usage.output_tokens - reasoning,
    cacheRead: nonEmpty(cacheRead),
    cacheWrite: nonEmpty(cacheWrite),
    reasoning: nonEmpty(reasoning),
  })
}
