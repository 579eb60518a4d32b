import { chunkOf, done, frame, pieceOf, sendEnd, startStream, usageOf } from './dialects/chat.ts'
import { pause, type Turn, write } from './turn.ts'

type MalformedResponse = (turn: Turn) => Promise<void>

const text = (turn: Turn): string =>
  Array.from({ length: turn.served.outputTokens }, (_, at) =>
    frame(chunkOf(turn, { content: `${pieceOf(turn, at)}é世👋` })),
  ).join('')

const end = (turn: Turn): string =>
  frame(chunkOf(turn, {}, 'stop')) +
  (turn.wantsUsage ? frame({ ...chunkOf(turn, {}), choices: [], usage: usageOf(turn) }) : '') +
  done

const whole = async (turn: Turn, body: string | Buffer): Promise<void> => {
  turn.served.pieces = turn.served.outputTokens
  if (await write(turn, body)) turn.response.end()
  turn.served.complete = true
}

/** Every byte on its own: each boundary of UTF-8, of a field name and of a frame is crossed. */
const split: MalformedResponse = async turn => {
  startStream(turn)
  turn.request.socket.setNoDelay(true)
  for (const byte of Buffer.from(text(turn) + end(turn))) {
    if (!(await write(turn, Buffer.of(byte)))) return
    await new Promise(setImmediate)
  }
  turn.served.pieces = turn.served.outputTokens
  turn.response.end()
  turn.served.complete = true
}

/** Streams that break the rules. */
export const unusualResponses: Record<string, MalformedResponse> = {
  split,
  json: async turn => {
    startStream(turn)
    await write(turn, frame(chunkOf(turn, { content: 'good ' })))
    await write(turn, 'data: {"choices":[{"delta":{"content":"torn\n\ndata: not json at all\n\n')
    await pause(turn, 5)
    await sendEnd(turn)
  },
  crlf: async turn => {
    startStream(turn)
    await whole(turn, (text(turn) + end(turn)).replaceAll('\n\n', '\r\n\r\n'))
  },
  bom: async turn => {
    startStream(turn)
    await whole(turn, `\uFEFF${text(turn)}${end(turn)}`)
  },
  comments: async turn => {
    startStream(turn)
    for (let at = 0; at < 2000; at += 1)
      if (!(await write(turn, ': keep-alive\n\n'.repeat(10)))) return
    await whole(turn, text(turn) + end(turn))
  },
  long: async turn => {
    startStream(turn)
    await write(turn, `data: ${'x'.repeat(10_000_000)}\n\n`)
    await whole(turn, text(turn) + end(turn))
  },
  type: async turn => {
    startStream(turn, 'application/octet-stream')
    await whole(turn, text(turn) + end(turn))
  },
  html: async turn => {
    startStream(turn, 'text/html')
    await whole(turn, '<html><body>Please sign in to the hotel network.</body></html>')
  },
}
