import type OpenAI from 'openai'
import { done, frame } from '../../../upstream/dialects/chat.ts'
import {
  definedFields,
  type Finish,
  type NeutralResponse,
  nonEmpty,
  type Piece,
  type TextPiece,
  type ThinkingPiece,
  type Usage,
} from '../../neutral.ts'
import { cut } from '../cut.ts'
import { openaiRefusal } from '../openai-errors.ts'

// https://platform.openai.com/docs/api-reference/chat/object and /chat/streaming. Thoughts as in
// https://api-docs.deepseek.com/guides/reasoning_model, signatures and images as in
// https://openrouter.ai/docs/guides/best-practices/reasoning-tokens: OpenAI returns neither.
const words: Readonly<Record<Finish, string>> = {
  stop: 'stop',
  sequence: 'stop',
  length: 'length',
  tools: 'tool_calls',
  filter: 'content_filter',
  refusal: 'stop',
}

const head = (response: NeutralResponse, model: string) =>
  definedFields({
    id: 'chatcmpl-B9MHDbslfkBeAs8l4bebGdFOJ6PeG',
    created: 1_741_570_283,
    model,
    service_tier: response.tier,
  })

/** The fields of a message, or of a delta that contains the whole message. */
const messageOf = (pieces: readonly Piece[]): Record<string, unknown> => {
  const thoughts = pieces.filter(piece => 'thinking' in piece)
  const texts = pieces.filter(piece => 'text' in piece)
  const [sound] = pieces.filter(piece => 'audio' in piece)
  const isProved = thoughts.some(piece => piece.signature)
  return definedFields({
    content: nonEmpty(texts.map(piece => piece.text).join('')),
    refusal: nonEmpty(
      pieces.flatMap(piece => ('refusal' in piece ? [piece.refusal] : [])).join(''),
    ),
    reasoning_content: nonEmpty(thoughts.map(piece => piece.thinking).join('')),
    reasoning_details: isProved ? thoughts.map(detailOf) : undefined,
    annotations: nonEmpty(texts.flatMap(annotationsOf)),
    images: nonEmpty(pieces.flatMap(imageOf)),
    tool_calls: nonEmpty(pieces.flatMap(callOf)),
    audio: sound && {
      ...{ id: 'audio_abc123', expires_at: 1_741_573_883 },
      ...{ data: sound.audio.data, transcript: sound.audio.transcript },
    },
  })
}

const detailOf = ({ thinking, signature, hidden }: ThinkingPiece, index: number) =>
  hidden
    ? { type: 'reasoning.encrypted', data: signature, id: null, format: 'unknown', index }
    : {
        type: 'reasoning.text',
        text: thinking,
        signature: signature,
        id: null,
        format: 'unknown',
        index,
      }

const annotationsOf = ({ text, sources = [] }: TextPiece) =>
  sources.map(({ url, title }) => ({
    type: 'url_citation',
    url_citation: { url, title, start_index: 0, end_index: text.length },
  }))

const imageOf = (piece: Piece) =>
  'image' in piece
    ? [
        {
          type: 'image_url',
          image_url: { url: `data:${piece.image.mime};base64,${piece.image.data}` },
        },
      ]
    : []

const callOf = (piece: Piece): { id: string; type: string; function: Called }[] =>
  'call' in piece
    ? [
        {
          id: piece.id,
          type: 'function',
          function: { name: piece.call, arguments: JSON.stringify(piece.input) },
        },
      ]
    : []

type Called = { name: string; arguments: string }

const logprobsOf = ({ logprobs }: NeutralResponse) =>
  logprobs
    ? {
        content: logprobs.map(each => ({
          ...each,
          bytes: [...Buffer.from(each.token)],
          top_logprobs: [],
        })),
        refusal: null,
      }
    : null

const usageOf = ({ input, output, cacheRead = 0, cacheWrite = 0, reasoning = 0 }: Usage) => ({
  prompt_tokens: input + cacheRead + cacheWrite,
  completion_tokens: output + reasoning,
  total_tokens: input + cacheRead + cacheWrite + output + reasoning,
  prompt_tokens_details: definedFields({
    cached_tokens: cacheRead,
    audio_tokens: 0,
    cache_write_tokens: nonEmpty(cacheWrite),
  }),
  completion_tokens_details: {
    ...{ reasoning_tokens: reasoning, audio_tokens: 0 },
    ...{ accepted_prediction_tokens: 0, rejected_prediction_tokens: 0 },
  },
})

export const wholeOf = (response: NeutralResponse, model: string) => ({
  ...head(response, model),
  object: 'chat.completion',
  choices: [response.pieces ?? [], ...(response.others ?? [])].map((pieces, index) => ({
    index,
    message: { role: 'assistant', content: null, refusal: null, ...messageOf(pieces) },
    logprobs: logprobsOf(response),
    finish_reason: words[response.finish ?? 'stop'],
  })),
  ...(response.usage ? { usage: usageOf(response.usage) } : {}),
  ...response.unknown,
})

export const framesOf = (response: NeutralResponse, model: string): string[] => {
  const chunk = (rest: object) =>
    frame({
      ...head(response, model),
      object: 'chat.completion.chunk',
      ...rest,
      ...response.unknown,
    })
  const piece =
    (index: number) =>
    (delta: object, finish_reason: string | null = null) =>
      chunk({ choices: [{ index, delta, logprobs: null, finish_reason }] })
  const answers = [response.pieces ?? [], ...(response.others ?? [])]
  const begun = answers.flatMap((pieces, index) => [
    piece(index)({ role: 'assistant', content: '', refusal: null }),
    ...deltasOf(pieces, index === 0 ? response : {}).map(({ logprobs = null, ...delta }) =>
      chunk({ choices: [{ index, delta, logprobs, finish_reason: null }] }),
    ),
  ])
  if (response.refusal) return [...begun, frame(openaiRefusal(response.refusal))]
  return [
    ...begun,
    ...answers.map((_, index) => piece(index)({}, words[response.finish ?? 'stop'])),
    ...(response.usage ? [chunk({ choices: [], usage: usageOf(response.usage) })] : []),
    done,
  ]
}

/** Words, thoughts and arguments in pieces, everything else at once. */
const deltasOf = (
  pieces: readonly Piece[],
  response: NeutralResponse,
): Record<string, unknown>[] => {
  let calls = -1
  const deltas = pieces.flatMap((piece): Record<string, unknown>[] => {
    const { content, reasoning_content, reasoning_details, refusal, tool_calls, ...rest } =
      messageOf([piece])
    const whole = Object.keys(rest).length > 0 ? [rest] : []
    if ('text' in piece) return [...cut(piece.text).map(text => ({ content: text })), ...whole]
    if ('refusal' in piece) return cut(piece.refusal).map(text => ({ refusal: text }))
    if ('thinking' in piece)
      return [
        ...cut(piece.thinking).map(text => ({ reasoning_content: text })),
        // The text is already sent; its signature comes last.
        ...(reasoning_details
          ? [{ reasoning_details: [detailOf({ ...piece, thinking: '' }, 0)] }]
          : []),
      ]
    if (!('call' in piece)) return whole
    calls += 1
    const index = calls
    const function_ = (called: Partial<Called>) => ({ tool_calls: [{ index, function: called }] })
    const opening = {
      index,
      id: piece.id,
      type: 'function',
      function: { name: piece.call, arguments: '' },
    }
    return [
      { tool_calls: [opening] },
      ...cut(JSON.stringify(piece.input)).map(text => function_({ arguments: text })),
    ]
  })
  const logprobs = logprobsOf(response)
  if (!logprobs) return deltas
  // One chunk for each token with a log probability.
  return logprobs.content.map(each => ({
    content: each.token,
    logprobs: {
      content: [each],
      refusal: null,
    } satisfies OpenAI.ChatCompletionChunk.Choice.Logprobs,
  }))
}
