import { connect, type Socket } from 'node:net'
import { isRight, requestBody, type Workload } from './workloads.ts'

/** One run as the callers observed it. Times in microseconds. */
export type LoadResult = {
  done: number
  wrong: number
  firstWrong: string
  seconds: number
  p50: number
  p99: number
}

/**
 * The callers: one process with raw sockets, so that measuring costs little. Closed loop, or a fixed rate that counts
 * a late response as late. Every body is compared with the expected one. argv: port, key, workload as JSON. `idle`
 * holds the streams open until the parent stops it.
 */
const [, , port, key, json] = process.argv
const workload = JSON.parse(json ?? '{}') as Workload

const prompt = requestBody(workload)
const body = workload.stream
  ? Buffer.from(prompt.toString().replace('"content":"A ', `"content":"${workload.stream} `))
  : prompt
const request = Buffer.concat([
  Buffer.from(
    `POST ${workload.caller ? '/v1/messages' : '/v1/chat/completions'} HTTP/1.1\r\nhost: 127.0.0.1:${port}\r\nauthorization: Bearer ${workload.refused ? 'sk-nobody-has-this-key-0123456789abcdef0123456789abcdef' : key}\r\n` +
      `${workload.caller ? 'anthropic-version: 2023-06-01\r\n' : ''}content-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n`,
  ),
  body,
])
const status = workload.refused ? 401 : 200

const latencies: number[] = []
let done = 0
let wrong = 0
let firstWrong = ''
let opened = 0

type Conn = { socket: Socket; dueAt: number; busy: boolean; parts: Buffer[]; size: number }

const dechunk = (bytes: Buffer): Buffer => {
  const parts: Buffer[] = []
  for (let at = 0; ; ) {
    const lineEnd = bytes.indexOf('\r\n', at)
    const size = Number.parseInt(bytes.toString('latin1', at, lineEnd), 16)
    if (!size) return parts.length === 1 ? (parts[0] as Buffer) : Buffer.concat(parts)
    parts.push(bytes.subarray(lineEnd + 2, lineEnd + 2 + size))
    at = lineEnd + 4 + size
  }
}

/** The whole answer if it is there: its status and body. */
const whole = (bytes: Buffer): { status: number; body: Buffer } | undefined => {
  const headEnd = bytes.indexOf('\r\n\r\n')
  if (headEnd < 0) return undefined
  const head = bytes.toString('latin1', 0, headEnd)
  const code = Number(head.slice(9, 12))
  const length = /content-length: (\d+)/i.exec(head)
  if (length)
    return bytes.length >= headEnd + 4 + Number(length[1])
      ? { status: code, body: bytes.subarray(headEnd + 4) }
      : undefined
  if (bytes.toString('latin1', bytes.length - 7) !== '\r\n0\r\n\r\n') return undefined
  return { status: code, body: dechunk(bytes.subarray(headEnd + 4)) }
}

const check = (answer: { status: number; body: Buffer }) => {
  const right = answer.status === status && (workload.refused || isRight(workload, answer.body))
  if (right) return
  wrong++
  firstWrong ||= `${answer.status} ${answer.body.toString('utf8').slice(0, 300)}`
}

const until = Date.now() + workload.seconds * 1000
const free: Conn[] = []

const send = (conn: Conn, dueAt: number) => {
  conn.busy = true
  conn.dueAt = dueAt
  conn.parts = []
  conn.size = 0
  conn.socket.write(request)
}

const received = (conn: Conn, data: Buffer) => {
  conn.parts.push(data)
  conn.size += data.length
  // The end of a chunked response, or of a short one: joining the pieces earlier is wasted work.
  const last = data.toString('latin1', Math.max(0, data.length - 5))
  if (workload.stream && last !== '0\r\n\r\n') return
  const bytes = conn.parts.length === 1 ? data : Buffer.concat(conn.parts)
  const answer = whole(bytes)
  if (!answer) return
  conn.busy = false
  done++
  latencies.push((performance.now() - conn.dueAt) * 1000)
  check(answer)
  if (workload.rate) free.push(conn)
  else if (Date.now() < until) send(conn, performance.now())
}

const open = (): Promise<Conn> =>
  new Promise((resolve, reject) => {
    const socket = connect(Number(port), '127.0.0.1')
    const conn: Conn = { socket, dueAt: 0, busy: false, parts: [], size: 0 }
    socket.setNoDelay(true)
    socket.once('connect', () => {
      opened++
      resolve(conn)
    })
    socket.once('error', reject)
    socket.on('close', () => {
      if (!conn.busy || workload.stream === 'idle') return
      wrong++
      firstWrong ||= 'the connection closed in the middle of an answer'
    })
    socket.on('data', (data: Buffer) => received(conn, data))
  })

const finish = (startedAt: number) => {
  latencies.sort((a, b) => a - b)
  const at = (share: number) => Math.round(latencies[Math.floor(latencies.length * share)] ?? 0)
  const result: LoadResult = {
    done,
    wrong,
    firstWrong,
    seconds: (performance.now() - startedAt) / 1000,
    p50: at(0.5),
    p99: at(0.99),
  }
  console.log(JSON.stringify(result))
  process.exit(0)
}

const conns: Conn[] = []
while (opened < workload.connections) {
  const batch = Math.min(100, workload.connections - opened)
  conns.push(...(await Promise.all(Array.from({ length: batch }, open))))
}
const startedAt = performance.now()

if (workload.stream === 'idle') {
  for (const conn of conns) send(conn, performance.now())
  process.on('SIGTERM', () => process.exit(0))
} else if (workload.rate) {
  free.push(...conns)
  let sent = 0
  const tick = setInterval(() => {
    const now = performance.now()
    const due = Math.floor(((now - startedAt) / 1000) * (workload.rate ?? 0))
    while (sent < due && free.length && Date.now() < until) {
      const conn = free.pop() as Conn
      send(conn, startedAt + ((sent + 1) / (workload.rate ?? 1)) * 1000)
      sent++
    }
    if (Date.now() < until || free.length < conns.length) return
    clearInterval(tick)
    finish(startedAt)
  }, 1)
} else {
  for (const conn of conns) send(conn, performance.now())
  const wait = setInterval(() => {
    if (conns.some(conn => conn.busy)) return
    clearInterval(wait)
    finish(startedAt)
  }, 5)
}
