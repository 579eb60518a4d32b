import { numberOf } from '../script.ts'
import { pause, type Turn, write } from '../turn.ts'
import { frame, pieceOf, startStream } from './chat.ts'

// The fake vendor in two other dialects, in the fields of their documents, whole or streamed.

const piecesOf = (turn: Turn) =>
  Array.from({ length: turn.served.outputTokens }, (_, at) => pieceOf(turn, at))

/** Frames at the script's pace; counts as pieces what is text. */
const sendAll = async (turn: Turn, frames: [frame: string, isPiece: boolean][]): Promise<void> => {
  startStream(turn)
  for (const [text, isPiece] of frames) {
    if (isPiece && !(await pause(turn, numberOf(turn.script, 'every', 0)))) return
    if (!(await write(turn, text))) return
    if (isPiece) turn.served.pieces += 1
  }
  turn.response.end()
  turn.served.complete = true
}

const sendWhole = (turn: Turn, value: unknown): void => {
  turn.served.pieces = turn.served.outputTokens
  turn.response.writeHead(200, { 'content-type': 'application/json' })
  turn.response.end(JSON.stringify(value))
  turn.served.complete = true
}

/** https://platform.claude.com/docs/en/build-with-claude/streaming */
export const messages = async (turn: Turn): Promise<void> => {
  const { served } = turn
  const message = {
    id: `msg_${served.n}`,
    type: 'message',
    role: 'assistant',
    model: served.model,
    stop_sequence: null,
  }
  const usage = { input_tokens: served.promptTokens, output_tokens: served.outputTokens }
  if (!turn.stream)
    return sendWhole(turn, {
      ...message,
      content: [{ type: 'text', text: piecesOf(turn).join('') }],
      stop_reason: 'end_turn',
      usage,
    })
  const event = (type: string, fields: object): string =>
    `event: ${type}\n${frame({ type, ...fields })}`
  const start = {
    ...message,
    content: [],
    stop_reason: null,
    usage: { ...usage, output_tokens: 1 },
  }
  const delta = (text: string) => ({ index: 0, delta: { type: 'text_delta', text } })
  await sendAll(turn, [
    [event('message_start', { message: start }), false],
    [event('content_block_start', { index: 0, content_block: { type: 'text', text: '' } }), false],
    [event('ping', {}), false],
    ...piecesOf(turn).map((text): [string, boolean] => [
      event('content_block_delta', delta(text)),
      true,
    ]),
    [event('content_block_stop', { index: 0 }), false],
    [
      event('message_delta', {
        delta: { stop_reason: 'end_turn', stop_sequence: null },
        usage: { output_tokens: served.outputTokens },
      }),
      false,
    ],
    [event('message_stop', {}), false],
  ])
}

/** https://ai.google.dev/api/generate-content */
export const generateContent = async (turn: Turn): Promise<void> => {
  const { served } = turn
  const answer = (text: string, tokens: number, finish?: string) => ({
    candidates: [
      {
        content: { parts: [{ text }], role: 'model' },
        ...(finish ? { finishReason: finish } : {}),
        index: 0,
      },
    ],
    usageMetadata: {
      promptTokenCount: served.promptTokens,
      candidatesTokenCount: tokens,
      totalTokenCount: served.promptTokens + tokens,
    },
    modelVersion: served.model,
    responseId: `r${served.n}`,
  })
  const pieces = piecesOf(turn)
  if (!served.path.includes(':stream'))
    return sendWhole(turn, answer(pieces.join(''), pieces.length, 'STOP'))
  await sendAll(
    turn,
    pieces.map((text, at) => {
      const finish = at === pieces.length - 1 ? 'STOP' : undefined
      return [frame(answer(text, at + 1, finish)), true]
    }),
  )
}

/**
 * https://platform.claude.com/docs/en/api/messages/count_tokens, https://ai.google.dev/api/tokens,
 * https://platform.openai.com/docs/api-reference/responses/input-tokens
 */
export const countTokens = (turn: Turn): void => {
  const { path, promptTokens } = turn.served
  const object = path.endsWith('/input_tokens') ? { object: 'response.input_tokens' } : {}
  const isGemini = path.endsWith(':countTokens')
  sendWhole(
    turn,
    isGemini ? { totalTokens: promptTokens } : { ...object, input_tokens: promptTokens },
  )
}
