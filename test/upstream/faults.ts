import { chunkOf, done, frame, startStream } from './dialects/chat.ts'
import { numberOf } from './script.ts'
import { gone, hang, pause, reset, type Turn, write } from './turn.ts'

type Fault = (turn: Turn, argument: string) => Promise<void> | void

const json = (turn: Turn, status: number, body: string, headers: Record<string, string> = {}) => {
  turn.response.writeHead(status, { 'content-type': 'application/json', ...headers })
  turn.response.end(body)
}

const refuse: Fault = (turn, argument) => {
  const status = Number(argument)
  const after = turn.script.get('retry-after')
  const message = turn.script.get('keywords') ?? `The vendor answers ${status}.`
  const error = {
    message,
    type: status === 429 ? 'requests' : 'server_error',
    param: null,
    code: null,
  }
  json(turn, status, JSON.stringify({ error }), after === undefined ? {} : { 'retry-after': after })
}

const answerText = (turn: Turn, content: string) =>
  JSON.stringify({
    id: `chatcmpl-${turn.served.n}`,
    object: 'chat.completion',
    created: 1,
    model: turn.served.model,
    choices: [{ index: 0, message: { role: 'assistant', content }, finish_reason: 'stop' }],
    usage: { prompt_tokens: 10, completion_tokens: 5, total_tokens: 15 },
  })

/** Written to the socket: node's HTTP writer would refuse these bytes. */
const raw = (turn: Turn, text: string): void => void turn.request.socket.write(text)

/** Makes node treat the response as complete, so that it answers the next request on this socket. */
const rawEnd = (turn: Turn): void => {
  turn.served.complete = true
  turn.response.emit('finish')
}

const lengths: Fault = (turn, argument) => {
  const body = answerText(turn, `length ${argument}`)
  const size = Buffer.byteLength(body)
  const claims: Record<string, string[]> = {
    short: [`content-length: ${size - 20}`],
    long: [`content-length: ${size + 20}`],
    twice: [`content-length: ${size}`, `content-length: ${size - 20}`],
  }
  const head = ['HTTP/1.1 200 OK', 'content-type: application/json', ...(claims[argument] ?? [])]
  raw(turn, `${head.join('\r\n')}\r\n\r\n${body}`)
  if (argument === 'long') turn.request.socket.end()
  rawEnd(turn)
}

/** A response without a request: the next user of this socket must not get it. */
const ahead: Fault = (turn, argument) => {
  const own = answerText(turn, `for ${turn.served.mark}`)
  const stray = answerText(turn, 'STRAY ANSWER')
  const whole = (body: string) =>
    `HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`
  raw(turn, argument === 'later' ? whole(own) : whole(own) + whole(stray))
  rawEnd(turn)
  if (argument === 'later') setTimeout(() => raw(turn, whole(stray)), 30)
}

const informational: Fault = async (turn, argument) => {
  const early = 'HTTP/1.1 103 Early Hints\r\nlink: </x>; rel=preload\r\n\r\n'
  for (let sent = 0; sent < Number(argument) && !gone(turn); sent += 100) {
    raw(turn, early.repeat(Math.min(100, Number(argument) - sent)))
    await pause(turn, 1)
  }
  const body = answerText(turn, 'after the hints')
  raw(
    turn,
    `HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
  )
  rawEnd(turn)
}

const forever: Fault = async (turn, argument) => {
  startStream(turn)
  for (;;) {
    if (!(await pause(turn, Number(argument)))) return
    if (!(await write(turn, frame(chunkOf(turn, { content: 'and on ' }))))) return
    turn.served.pieces += 1
  }
}

const drip: Fault = async (turn, argument) => {
  const text = turn.stream
    ? frame(chunkOf(turn, { content: 'slow' })) + done
    : answerText(turn, 'slow')
  turn.response.writeHead(200, {
    'content-type': turn.stream ? 'text/event-stream' : 'application/json',
  })
  for (const byte of Buffer.from(text)) {
    if (!(await write(turn, Buffer.of(byte)))) return
    if (!(await pause(turn, Number(argument)))) return
  }
  turn.response.end()
  turn.served.complete = true
}

const big: Fault = async (turn, argument) => {
  startStream(turn)
  const content = 'b'.repeat(Number(argument))
  if (await write(turn, frame(chunkOf(turn, { content })) + done)) turn.response.end()
}

const tiny: Fault = async (turn, argument) => {
  startStream(turn)
  turn.request.socket.setNoDelay(true)
  const text = Buffer.from(frame(chunkOf(turn, { content: 'tiny' })))
  for (let at = 0; at < Number(argument); at += 1) {
    if (!(await write(turn, text.subarray(at % text.length, (at % text.length) + 1)))) return
    // Without a turn of the loop node would glue the writes together.
    if (at % 16 === 0) await new Promise(setImmediate)
  }
  turn.response.end(`\n\n${done}`)
  turn.served.complete = true
}

const flood: Fault = async (turn, argument) => {
  startStream(turn)
  const piece = frame(chunkOf(turn, { content: 'f'.repeat(16_384) }))
  for (let sent = 0; sent < Number(argument); sent += piece.length)
    if (!(await write(turn, piece))) return
  await write(turn, done)
  turn.response.end()
  turn.served.complete = true
}

/** Words that replace the whole answer. The first that the script names is taken. */
export const faults: Record<string, Fault> = {
  status: refuse,
  'error-in-200': turn =>
    json(
      turn,
      200,
      JSON.stringify({
        error: { message: 'It went wrong after all.', type: 'server_error', code: 'oops' },
      }),
    ),
  empty: turn => json(turn, 200, ''),
  redirect: turn => json(turn, 302, '', { location: `${turn.canary}/v1/chat/completions` }),
  length: lengths,
  ahead,
  informational,
  continue: async turn => {
    turn.response.writeContinue()
    await pause(turn, 5)
    json(turn, 200, answerText(turn, 'after 100'))
  },
  forever,
  drip,
  big,
  tiny,
  flood,
}

/** Faults before the response headers. True: the response is complete. */
export const beforeHeaders = async (turn: Turn): Promise<boolean> => {
  const { script } = turn
  if (script.get('reset') === 'before') {
    reset(turn)
    return true
  }
  if (script.get('stall') === 'headers') {
    await hang(turn)
    return true
  }
  return !(await pause(turn, numberOf(script, 'first', 0)))
}
