import { numberOf } from '../script.ts'
import type { Turn } from '../turn.ts'
import { usageOf } from './chat.ts'

// Embeddings in the fields of two vendors' documents. All numbers are exact in 32 bits, so both encodings agree: the
// first is the index of the input, the others are halves.

const vectorOf = (at: number, dimensions: number): number[] =>
  Array.from({ length: dimensions }, (_, place) => (place === 0 ? at + 1 : -place / 2))

const packed = (vector: number[]): string => {
  const bytes = Buffer.alloc(vector.length * 4)
  for (const [at, value] of vector.entries()) bytes.writeFloatLE(value, at * 4)
  return bytes.toString('base64')
}

const send = ({ response, served }: Turn, value: object): void => {
  served.outputTokens = 0
  response.writeHead(200, { 'content-type': 'application/json' })
  response.end(JSON.stringify(value))
  served.complete = true
}

type OpenAi = { input?: unknown; dimensions?: number; encoding_format?: string }

/** A text, a list of texts, one list of tokens, or a list of them. */
const countOf = (input: unknown): number =>
  Array.isArray(input) && typeof input[0] !== 'number' ? input.length : 1

/** https://platform.openai.com/docs/api-reference/embeddings/create. `form`: as vendors do that know one form only. */
export const embeddings = (turn: Turn): void => {
  const { served, script } = turn
  const request = JSON.parse(served.body.toString()) as OpenAi
  const isPacked = (script.get('form') ?? request.encoding_format) === 'base64'
  const usage = usageOf({ ...turn, served: { ...served, outputTokens: 0 } })
  const data = Array.from({ length: countOf(request.input) }, (_, index) => {
    const vector = vectorOf(index, request.dimensions ?? numberOf(script, 'dims', 3))
    return { object: 'embedding', index, embedding: isPacked ? packed(vector) : vector }
  })
  const reportedUsage = usage as
    | { prompt_tokens?: unknown; total_tokens?: unknown }
    | undefined
    | null
  const { prompt_tokens, total_tokens } = reportedUsage ?? {}
  send(turn, {
    object: 'list',
    data,
    model: served.model,
    ...(reportedUsage === undefined
      ? {}
      : { usage: reportedUsage && { prompt_tokens, total_tokens } }),
  })
}

type Gemini = { outputDimensionality?: number; requests?: Gemini[] }

/** https://ai.google.dev/api/embeddings: only newer models report usage, here all unless `usage=missing`. */
export const embedContent = (turn: Turn): void => {
  const { served, script } = turn
  const request = JSON.parse(served.body.toString()) as Gemini
  const isBatch = served.path.includes(':batchEmbedContents')
  const all = (isBatch ? (request.requests ?? []) : [request]).map((each, at) => ({
    values: vectorOf(at, each.outputDimensionality ?? numberOf(script, 'dims', 3)),
  }))
  const usageMetadata = {
    promptTokenCount: served.promptTokens,
    promptTokensDetails: [{ modality: 'TEXT', tokenCount: served.promptTokens }],
  }
  send(turn, {
    ...(isBatch ? { embeddings: all } : { embedding: all[0] }),
    ...(script.get('usage') === 'missing' ? {} : { usageMetadata }),
  })
}
