import { once } from 'node:events'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type WebSocket, WebSocketServer } from 'ws'

// A vendor of realtime sessions, by https://developers.openai.com/api/docs/guides/realtime-websocket and the events of
// https://developers.openai.com/api/reference/resources/realtime

export type VendorSession = {
  request: IncomingMessage
  socket: WebSocket
  received: { type: string; [field: string]: unknown }[]
  send(event: object): void
}

export type RealtimeVendor = {
  url: string
  sessions: VendorSession[]
  /** Answers `response.create` in a session. */
  onCreate: (session: VendorSession, n: number) => void
  close(): Promise<void>
}

/** The usage of one response: 132 tokens in, 64 of them cached, and 121 out. */
export const usage = {
  total_tokens: 253,
  input_tokens: 132,
  output_tokens: 121,
  input_token_details: {
    text_tokens: 119,
    audio_tokens: 13,
    image_tokens: 0,
    cached_tokens: 64,
    cached_tokens_details: { text_tokens: 64, audio_tokens: 0, image_tokens: 0 },
  },
  output_token_details: { text_tokens: 30, audio_tokens: 91 },
}

export const answer = (session: VendorSession, n: number): void => {
  const id = `resp_${n}`
  session.send({ type: 'response.created', response: { id, status: 'in_progress' } })
  session.send({ type: 'response.output_audio.delta', response_id: id, delta: 'AAAA' })
  session.send({ type: 'response.done', response: { id, status: 'completed', usage } })
}

const keyOf = ({ headers }: IncomingMessage) => headers.authorization ?? headers['api-key']

/** Refuses a wrong key, a model of another name, and messages that are no events, like the vendor. */
export const startRealtimeVendor = async (): Promise<RealtimeVendor> => {
  const server = createServer()
  const sockets = new WebSocketServer({ noServer: true, perMessageDeflate: false })
  const sessions: VendorSession[] = []
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const vendor: RealtimeVendor = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    sessions,
    onCreate: answer,
    close: async () => {
      for (const { socket } of sessions) socket.terminate()
      await new Promise(resolve => server.close(resolve))
    },
  }
  server.on('upgrade', (request, socket, head) => {
    const model = new URL(request.url ?? '', vendor.url).searchParams.get('model')
    const isKnown = keyOf(request)?.includes('vendor-key') && model?.startsWith('gpt-realtime')
    if (!isKnown) {
      const body = JSON.stringify({
        error: { message: 'No such model', type: 'invalid_request_error', code: 'model_not_found' },
      })
      const head = `HTTP/1.1 400 Bad Request\r\ncontent-type: application/json\r\ncontent-length: ${body.length}`
      return void socket.end(`${head}\r\nconnection: close\r\n\r\n${body}`)
    }
    sockets.handleUpgrade(request, socket, head, accepted => begin(vendor, request, accepted))
  })
  return vendor
}

const begin = (vendor: RealtimeVendor, request: IncomingMessage, socket: WebSocket) => {
  const session: VendorSession = {
    ...{ request, socket, received: [] },
    send: event => socket.send(JSON.stringify({ event_id: 'event_1', ...event })),
  }
  let responses = 0
  vendor.sessions.push(session)
  session.send({
    type: 'session.created',
    session: { type: 'realtime', object: 'realtime.session' },
  })
  socket.on('message', data => {
    const event = JSON.parse(String(data))
    session.received.push(event)
    if (event.type === 'response.create') vendor.onCreate(session, ++responses)
  })
}
