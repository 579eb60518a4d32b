import { partsOf, type Said } from '../../callers/gemini/parts.ts'
import {
  definedFields,
  type Finish,
  type Logprob,
  type NeutralResponse,
  nonEmpty,
  type Piece,
  type Usage,
} from '../../neutral.ts'
import { cut } from '../cut.ts'
import { errorBody } from './error.ts'

// https://ai.google.dev/api/generate-content#v1beta.GenerateContentResponse
const words: Readonly<Record<Finish, string>> = {
  stop: 'STOP',
  sequence: 'STOP',
  tools: 'STOP',
  length: 'MAX_TOKENS',
  filter: 'SAFETY',
  refusal: 'SAFETY',
}

const usageOf = ({ usage = { input: 20, output: 6 }, tier }: NeutralResponse) => {
  const { input, output, cacheRead = 0, cacheWrite = 0, reasoning = 0 }: Usage = usage
  const prompt = input + cacheRead + cacheWrite
  return definedFields({
    promptTokenCount: prompt,
    candidatesTokenCount: output,
    totalTokenCount: prompt + output + reasoning,
    cachedContentTokenCount: nonEmpty(cacheRead),
    thoughtsTokenCount: nonEmpty(reasoning),
    promptTokensDetails: [{ modality: 'TEXT', tokenCount: prompt }],
    serviceTier: tier,
  })
}

const head = (model: string) => ({
  modelVersion: model,
  responseId: '8yUhaZ6jKbGtz7IPlYmVqAs',
})

/** https://ai.google.dev/gemini-api/docs/google-search: places are counted in bytes. */
const groundingOf = (pieces: readonly Piece[]) => {
  const cited = pieces.find(piece => 'text' in piece && piece.sources)
  if (!cited || !('text' in cited)) return undefined
  const { text, sources = [] } = cited
  return {
    webSearchQueries: ['news'],
    groundingChunks: sources.map(({ url: uri, title }) => ({ web: { uri, title } })),
    groundingSupports: [
      {
        segment: { startIndex: 0, endIndex: Buffer.byteLength(text), text },
        groundingChunkIndices: sources.map((_, at) => at),
      },
    ],
  }
}

const logprobsOf = (logprobs: readonly Logprob[] | undefined) => {
  if (!logprobs) return undefined
  const candidates = logprobs.map(({ token, logprob }) => ({
    token,
    tokenId: 9,
    logProbability: logprob,
  }))
  return {
    topCandidates: candidates.map(each => ({ candidates: [each] })),
    chosenCandidates: candidates,
  }
}

const answersOf = ({ pieces = [], others = [] }: NeutralResponse) => [pieces, ...others]

export const wholeOf = (response: NeutralResponse, model: string) => ({
  candidates: answersOf(response).map((pieces, index) => ({
    content: { parts: partsOf(pieces), role: 'model' },
    finishReason: words[response.finish ?? 'stop'],
    index,
    ...definedFields({
      groundingMetadata: groundingOf(pieces),
      logprobsResult: logprobsOf(response.logprobs),
    }),
  })),
  usageMetadata: usageOf(response),
  ...head(model),
  ...response.unknown,
})

export const framesOf = (response: NeutralResponse, model: string): string[] => {
  const frame = (body: object) => `data: ${JSON.stringify(body)}\r\n\r\n`
  const { candidatesTokenCount, ...begun } = usageOf(response)
  const chunk = (candidate: object, usageMetadata: object) =>
    frame({ candidates: [candidate], usageMetadata, ...head(model), ...response.unknown })
  const candidates = answersOf(response).flatMap((pieces, index) =>
    chunksOf(pieces, response).map(({ part, ...more }) =>
      chunk({ content: { parts: [part], role: 'model' }, index, ...more }, begun),
    ),
  )
  if (response.refusal) return [...candidates, frame(errorBody(response.refusal))]
  const ends = answersOf(response).map((pieces, index) => ({
    content: { parts: [{ text: '' }], role: 'model' },
    finishReason: words[response.finish ?? 'stop'],
    index,
    ...definedFields({ groundingMetadata: groundingOf(pieces) }),
  }))
  return [...candidates, ...ends.map(end => chunk(end, usageOf(response)))]
}

type Chunk = { part: Said; logprobsResult?: object }

/** Words and thoughts in pieces, a signature in a part without words behind them; calls and media at once. */
const chunksOf = (pieces: readonly Piece[], { logprobs }: NeutralResponse): Chunk[] => {
  if (logprobs)
    return logprobs.map(each => ({
      part: { text: each.token },
      ...definedFields({ logprobsResult: logprobsOf([each]) }),
    }))
  return partsOf(pieces).flatMap((part): Chunk[] => {
    const { text, thoughtSignature, ...rest } = part
    if (text === undefined) return [{ part }]
    const signature = thoughtSignature ? [{ part: { text: '', thoughtSignature, ...rest } }] : []
    return [...cut(text).map(part => ({ part: { text: part, ...rest } })), ...signature]
  })
}
