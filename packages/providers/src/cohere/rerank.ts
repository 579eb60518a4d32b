import { cohereRerank, type Json } from '@hub/dialects'
import type { OperationTranslation } from '../operation-translation.ts'

/** Fields that both forms have. */
const shared = ['model', 'query', 'top_n', 'max_tokens_per_doc'] as const

/** Cohere takes texts only, and does not send them back: https://docs.cohere.com/v2/reference/rerank */
export const rerank: OperationTranslation = {
  encodeRequest: request => {
    const { query, documents, return_documents: _, ...rest } = request as Json
    if (typeof query !== 'string') return { refused: "'query' must be a text for this model." }
    const texts = documents.map(textOf)
    if (texts.includes(undefined))
      return { refused: "'documents' must be texts, or objects with a text, for this model." }
    const body: Json = { documents: texts }
    for (const key of shared) if (request[key] !== undefined) body[key] = request[key]
    const dropped = Object.keys(rest).filter(key => !(shared as readonly string[]).includes(key))
    return { body, dropped }
  },
  decodeAnswer: ({ body }, request) => {
    const summary = cohereRerank.readAnswer(body)
    if (!summary.ok) return undefined
    const { documents, return_documents: returnsDocuments = true, model } = request as Json
    const { results } = JSON.parse(body.toString()) as Json
    const { usage } = summary
    const tokens = typeof usage === 'object' ? usage.input : 0
    return {
      body: {
        model,
        object: 'list',
        usage: { total_tokens: tokens, prompt_tokens: tokens },
        results: results.map(({ index, relevance_score }: Json) => ({
          index,
          relevance_score,
          ...(returnsDocuments ? { document: { text: textOf(documents[index]) ?? '' } } : {}),
        })),
      },
      usage,
    }
  },
}

const textOf = (document: Json): string | undefined => {
  if (typeof document === 'string') return document
  return typeof document?.text === 'string' ? document.text : undefined
}
