import { createServer, type Socket } from 'node:net'
import { type Answers, answers, PACE_MS } from './workloads.ts'

/**
 * A vendor that costs next to nothing: HTTP/1.1 on raw sockets, one request at a time per connection, canned
 * responses in the dialect of the address. The prompt's first word selects the stream: `burst`, `paced` or `idle` (a
 * first chunk, then silence).
 */
const streamHead = Buffer.from(
  'HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\ntransfer-encoding: chunked\r\n\r\n',
)
const chunked = (bytes: Buffer) =>
  Buffer.concat([Buffer.from(`${bytes.length.toString(16)}\r\n`), bytes, Buffer.from('\r\n')])
const lastChunk = Buffer.from('0\r\n\r\n')

const burst = (parts: Buffer[]) => Buffer.concat([streamHead, ...parts, lastChunk])

const packed = ({ whole, frames, framesWithUsage }: Answers) => {
  const plain = frames.map(chunked)
  const withUsage = framesWithUsage.map(chunked)
  const head = `HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: ${whole.length}\r\n\r\n`
  return {
    whole: Buffer.concat([Buffer.from(head), whole]),
    plain: { parts: plain, burst: burst(plain) },
    withUsage: { parts: withUsage, burst: burst(withUsage) },
  }
}
const openai = packed(answers['openai-chat'])
const anthropic = packed(answers.anthropic)

type Paced = { socket: Socket; parts: Buffer[]; at: number }
const phases: Set<Paced>[] = Array.from({ length: PACE_MS }, () => new Set())
let phase = 0
setInterval(() => {
  phase = (phase + 1) % PACE_MS
  for (const stream of phases[phase] ?? []) {
    const part = stream.parts[stream.at++]
    if (part && !stream.socket.destroyed) stream.socket.write(part)
    else {
      if (!stream.socket.destroyed) stream.socket.write(lastChunk)
      phases[phase]?.delete(stream)
    }
  }
}, 1)
let spread = 0

const answer = (socket: Socket, head: string, body: Buffer) => {
  const recorded = head.startsWith('POST /v1/messages ') ? anthropic : openai
  if (!body.includes('"stream":true')) return socket.write(recorded.whole)
  const stream = body.includes('"include_usage":true') ? recorded.withUsage : recorded.plain
  if (body.includes(':"burst ')) return socket.write(stream.burst)
  socket.write(streamHead)
  if (body.includes(':"idle ')) return socket.write(stream.parts[0] as Buffer)
  return phases[spread++ % PACE_MS]?.add({ socket, parts: stream.parts, at: 0 })
}

const server = createServer(socket => {
  socket.setNoDelay(true)
  socket.on('error', () => {})
  let pending: Buffer = Buffer.alloc(0)
  socket.on('data', (data: Buffer) => {
    pending = pending.length ? Buffer.concat([pending, data]) : data
    for (;;) {
      const headEnd = pending.indexOf('\r\n\r\n')
      if (headEnd < 0) return
      const head = pending.toString('latin1', 0, headEnd)
      const length = /content-length: (\d+)/i.exec(head)
      const end = headEnd + 4 + Number(length?.[1] ?? 0)
      if (pending.length < end) return
      const body = pending.subarray(headEnd + 4, end)
      pending = pending.subarray(end)
      answer(socket, head, body)
    }
  })
})

server.listen(0, '127.0.0.1', () => {
  const address = server.address()
  if (address && typeof address === 'object')
    console.log(`listening on http://127.0.0.1:${address.port}`)
})
process.on('SIGTERM', () => process.exit(0))
