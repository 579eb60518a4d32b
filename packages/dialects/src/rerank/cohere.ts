import { tokenCountOf } from '../decode-values.ts'
import type { CallerFormat, ErrorInfo } from '../dialect.ts'
import { isJsonObject, type Json } from '../json/json.ts'
import { openaiBase } from '../openai-chat/base.ts'
import { answerReader } from '../openai-operations/read.ts'
import { noUsage, type Usage } from '../usage.ts'
import { readRerank, tokensPerSearchUnit } from './read.ts'

/** Reads `meta`, with search units or, at other vendors of this form, tokens. */
const decodeUsage = (meta: unknown): Usage | 'broken' | undefined => {
  if (!isJsonObject(meta)) return 'broken'
  const { billed_units: billed, tokens } = meta as Json
  const units = tokenCountOf(billed?.search_units)
  const input = units ? units * tokensPerSearchUnit : tokenCountOf(tokens?.input_tokens)
  if (input === undefined) return undefined
  return Number.isNaN(input) ? 'broken' : { ...noUsage(), input }
}

/** https://docs.cohere.com/v2/reference/rerank */
const encodeFault = (info: ErrorInfo) => ({
  status: openaiBase.encodeFault(info).status,
  headers: { 'content-type': 'application/json; charset=utf-8' },
  body: JSON.stringify({ id: info.requestId, message: info.message }),
})

/** Reranking as Cohere's second version has it: https://docs.cohere.com/v2/reference/rerank */
export const cohereRerank: CallerFormat = {
  ...openaiBase,
  id: 'cohere',
  read: readRerank,
  readAnswer: answerReader({
    list: 'results',
    decodeUsage,
    usageKey: 'meta',
  }),
  decodeUsage: meta => decodeUsage(meta) ?? 'broken',
  encodeFault,
  canon: {
    decodeRequest: request => ({ return_documents: false, ...request }),
    encodeResponse: ({ id, results, usage }) => ({
      ...(typeof id === 'string' ? { id } : {}),
      results: (results as Json[]).map(({ index, relevance_score }) => ({
        index,
        relevance_score,
      })),
      meta: {
        api_version: { version: '2' },
        tokens: { input_tokens: (usage as Json)?.total_tokens ?? 0 },
      },
    }),
  },
}
