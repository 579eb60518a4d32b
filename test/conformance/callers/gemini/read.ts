import type { Candidate, Content, GenerateContentResponse } from '@google/genai'
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
import { piecesOf } from './parts.ts'

const finishes: Readonly<Record<string, Finish>> = {
  STOP: 'stop',
  MAX_TOKENS: 'length',
  SAFETY: 'filter',
  PROHIBITED_CONTENT: 'filter',
}

type Used = GenerateContentResponse['usageMetadata'] & { serviceTier?: string }

/** A whole answer is a stream of one chunk. */
export const readChunks = (chunks: readonly GenerateContentResponse[]): ClientResponse => {
  const candidates = chunks.flatMap(({ candidates = [] }) => candidates)
  const count = Math.max(1, ...candidates.map(({ index = 0 }) => index + 1))
  const answers = Array.from({ length: count }, (_, at) =>
    candidates.filter(({ index = 0 }) => index === at),
  )
  const [first = [], ...others] = answers
  const pieces = piecesIn(first)
  const usage: Used | undefined = chunks.findLast(each => each.usageMetadata)?.usageMetadata
  const refused = chunks.some(({ promptFeedback }) => promptFeedback?.blockReason)
  return definedFields({
    native: first.flatMap(({ content }): Content[] => (content?.parts ? [content] : [])),
    pieces,
    others: others.length > 0 ? others.map(piecesIn) : undefined,
    finish: refused ? ('filter' as const) : finishOf(first, pieces),
    usage: usage && usageOf(usage),
    tier: nonEmpty(usage?.serviceTier === 'standard' ? undefined : usage?.serviceTier),
    logprobs: nonEmpty(first.flatMap(logprobsOf)),
    inputPieces: pieces.filter(piece => 'call' in piece).length,
  })
}

/** There is no word for calls: they are there. */
const finishOf = (candidates: readonly Candidate[], pieces: readonly Piece[]) => {
  const finish = finishes[candidates.findLast(each => each.finishReason)?.finishReason ?? '']
  return finish === 'stop' && pieces.some(piece => 'call' in piece) ? 'tools' : finish
}

const piecesIn = (candidates: readonly Candidate[]): Piece[] => {
  const sources = candidates.flatMap(sourcesOf)
  const pieces = piecesOf(candidates.flatMap(({ content }) => content?.parts ?? []))
  if (sources.length === 0) return pieces
  const cited = pieces.findIndex(piece => 'text' in piece)
  return pieces.map((piece, at) => (at === cited ? { ...piece, sources } : piece) as Piece)
}

const sourcesOf = ({ groundingMetadata }: Candidate): Source[] =>
  (groundingMetadata?.groundingSupports ?? []).flatMap(({ groundingChunkIndices = [] }) =>
    groundingChunkIndices.map(at => {
      const { uri = '', title = '' } = groundingMetadata?.groundingChunks?.[at]?.web ?? {}
      return { url: uri, title }
    }),
  )

const logprobsOf = ({ logprobsResult }: Candidate): Logprob[] =>
  (logprobsResult?.chosenCandidates ?? []).map(({ token = '', logProbability = 0 }) => ({
    token,
    logprob: logProbability,
  }))

/** Cached tokens are counted inside the prompt, thinking tokens next to the candidates. */
const usageOf = ({
  promptTokenCount = 0,
  candidatesTokenCount = 0,
  cachedContentTokenCount = 0,
  thoughtsTokenCount,
}: Used): Usage =>
  definedFields({
    input: promptTokenCount - cachedContentTokenCount,
    output: candidatesTokenCount,
    cacheRead: nonEmpty(cachedContentTokenCount),
    reasoning: nonEmpty(thoughtsTokenCount),
  })
