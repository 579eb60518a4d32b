import { once } from 'node:events'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type WebSocket, WebSocketServer } from 'ws'
import type { Event } from './client.ts'

// A vendor of Gemini Live, by https://ai.google.dev/api/live: one `setup` first, which names the model; every message is
// JSON in a binary frame; an error is a close frame with a reason.

export type LiveSession = {
  request: IncomingMessage
  socket: WebSocket
  setup: Event
  received: Event[]
  send(message: object): void
}

export type LiveVendor = {
  url: string
  sessions: LiveSession[]
  /** Answers `clientContent`, `realtimeInput` and `toolResponse`. */
  onMessage: (session: LiveSession, message: Event) => void
  close(): Promise<void>
}

const details = (text: number, audio: number) => [
  { modality: 'TEXT', tokenCount: text },
  { modality: 'AUDIO', tokenCount: audio },
]

/** The usage of one turn: 412 tokens in, and 96 out. */
export const liveUsage = {
  ...{ promptTokenCount: 412, responseTokenCount: 96, totalTokenCount: 508 },
  promptTokensDetails: details(400, 12),
  responseTokensDetails: details(16, 80),
}

export const startAnswer = (session: LiveSession, text = 'Hello.'): void => {
  const parts = [{ inlineData: { mimeType: 'audio/pcm;rate=24000', data: 'A'.repeat(6_400) } }]
  session.send({ serverContent: { modelTurn: { parts } } })
  session.send({ serverContent: { outputTranscription: { text } } })
  session.send({ serverContent: { generationComplete: true } })
}

export const completeTurn = (session: LiveSession): void =>
  session.send({ serverContent: { turnComplete: true }, usageMetadata: liveUsage })

export const answerTurn = (session: LiveSession): void => {
  startAnswer(session)
  completeTurn(session)
}

const paths =
  /^\/(a\/)?ws\/google\.(ai\.generativelanguage\.v1(alpha|beta)?\.GenerativeService\.|cloud\.aiplatform\.v1\.LlmBidiService\/)BidiGenerateContent$/

export const startLiveVendor = async (): Promise<LiveVendor> => {
  const server = createServer()
  const sockets = new WebSocketServer({ noServer: true, perMessageDeflate: false })
  const open = new Set<WebSocket>()
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const vendor: LiveVendor = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    sessions: [],
    onMessage: answerTurn,
    close: async () => {
      for (const socket of open) socket.terminate()
      await new Promise(resolve => server.close(resolve))
    },
  }
  server.on('upgrade', (request, socket, head) => {
    if (!paths.test(request.url ?? ''))
      return void socket.end('HTTP/1.1 404 Not Found\r\ncontent-length: 0\r\n\r\n')
    sockets.handleUpgrade(request, socket, head, accepted => {
      open.add(accepted)
      accepted.on('close', () => open.delete(accepted))
      begin(vendor, request, accepted)
    })
  })
  return vendor
}

const knownModel =
  /^(models|projects\/p\/locations\/us-east5\/publishers\/google\/models)\/gemini-live/

const begin = (vendor: LiveVendor, request: IncomingMessage, socket: WebSocket) => {
  let session: LiveSession | undefined
  socket.on('message', data => {
    const message = JSON.parse(String(data))
    if (session && 'setup' in message) return socket.close(1007, 'setup was sent already.')
    if (session) {
      session.received.push(message)
      return vendor.onMessage(session, message)
    }
    const refusal = refusalOf(request, message)
    if (refusal) return socket.close(...refusal)
    session = {
      ...{ request, socket, setup: message.setup, received: [] },
      send: each => socket.send(Buffer.from(JSON.stringify(each))),
    }
    session.send({ setupComplete: {} })
    vendor.sessions.push(session)
  })
}

/** The reasons are those that users of the API quote; the vendor's document lists none. */
const refusalOf = (
  { headers }: IncomingMessage,
  { setup }: Event,
): [number, string] | undefined => {
  const key = headers['x-goog-api-key'] ?? headers.authorization?.slice(7)
  if (key === undefined || key === 'wrong-key')
    return [1007, 'API key not valid. Please pass a valid API key.']
  if (setup === undefined) return [1007, 'Request contains an invalid argument.']
  if (setup.sessionResumption?.handle?.startsWith('v1.'))
    return [1008, 'Session handle was not found.']
  if (!knownModel.test(setup.model))
    return [1008, `${setup.model} is not found for API version v1beta`]
  return undefined
}
