import { invalid, readTop } from '../json/read-request.ts'
import {
  isInvalid,
  listLength,
  plainParams,
  readModel,
  usageWith,
} from '../openai-operations/read.ts'
import type { ReadResult } from '../parsed-request.ts'

const guarded = ['model', 'query', 'documents'] as const

/** A search unit is one query with at most so many documents: https://docs.cohere.com/docs/how-does-cohere-pricing-work */
const documentsPerUnit = 100
/** A longer document counts as several. */
const documentTokensMax = 500
/** Vendors that sell search units instead of tokens are charged so many tokens for each. */
export const tokensPerSearchUnit = 1_000

/** Bodies of Jina and Cohere have the same fields where the price is concerned. */
export const readRerank = (body: Buffer): ReadResult => {
  const top = readTop(body, guarded)
  if (!top.ok) return top
  const { fieldRanges, promptTokens, hasAddresses } = top
  const model = readModel(body, fieldRanges)
  if (isInvalid(model)) return model
  const query = fieldRanges.get('query')
  // Jina also takes an object with an image.
  if (!query || (body[query.start] !== 0x22 && body[query.start] !== 0x7b))
    return invalid("'query' must be a text.")
  const documents = listLength(body, fieldRanges.get('documents'))
  if (!documents) return invalid("'documents' must be a list that is not empty.")
  const chunks = Math.max(documents, Math.ceil(promptTokens / documentTokensMax))
  const searchUnits = Math.ceil(chunks / documentsPerUnit)
  const pricing = {
    max: usageWith({ input: Math.max(promptTokens, searchUnits * tokensPerSearchUnit) }),
    unreported: usageWith({ input: promptTokens }),
    isPromptCounted: true,
    isExact: false,
    units: 1,
  }
  const facts = { promptTokens, hasAddresses, fieldRanges }
  return { ok: true, parsed: { ...plainParams, model, pricing, ...facts, body } }
}
