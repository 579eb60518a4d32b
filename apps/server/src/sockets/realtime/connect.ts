import type { IncomingMessage } from 'node:http'
import { Fault } from '@hub/contract'
import type { RealtimeFormat } from '@hub/dialects'
import type { Endpoint } from '@hub/providers'
import type { buildConnector } from 'undici'
import { type ClientOptions, WebSocket } from 'ws'
import type { App } from '../../core/app.ts'
import { timers } from '../../core/timers.ts'
import { billedModelOf, type Channel, upstreamModelOf } from '../../relay/channels/channel.ts'
import type { ChannelKey } from '../../relay/channels/keys.ts'
import type { Attempt, CallContext } from '../../relay/context.ts'
import { checkMessage } from '../../relay/links/check-message.ts'
import { chooseEndpoint } from '../../relay/routing/endpoint.ts'
import type { Account } from '../../relay/tries/call-attempts.ts'
import { tryChannels } from '../../relay/tries/try-channels.ts'
import { refusalMs } from '../../relay/upstream/accounts/refusal-body.ts'
import {
  classifyFailure,
  type ErrorClassification,
  readRetryAfter,
} from '../../relay/upstream/classify-error.ts'
import { connectorOf } from '../../relay/upstream/connections/connector.ts'
import { addProviderHeaders, callerHeaders, setHeaders } from '../../relay/upstream/headers.ts'
import { signRequest } from '../../relay/upstream/sign.ts'
import {
  classifyUpstreamError,
  type ErrorAnswer,
  errorSource,
} from '../../relay/upstream/upstream-error.ts'

const messageMax = 16 * 1024 * 1024
/** Bytes of a refusal that are read. */
const refusalMax = 64 * 1024

export type SocketMessage = { data: Buffer; isBinary: boolean }

/** An open WebSocket to a vendor, paused until it is resumed. */
export type UpstreamSocket = {
  socket: WebSocket
  attempt: Attempt
  /** Messages that arrived before the session was opened. */
  received: SocketMessage[]
}

/** The beginning of a session. */
export type SessionStart = {
  format: RealtimeFormat
  /** The caller's first message, where the format begins with one. The vendor accepts with its own first message. */
  setup?: Buffer
  /** Encodes that message with the model's name at the vendor. */
  encodeSetup?: (model: string) => string
  /** Returns what replaces messages of the vendor. */
  rewriterFor?: (attempt: Attempt) => (message: Buffer) => string | undefined
}

/** Connects to one of the call's channels. Throws the fault of the last one where none accepts. */
export const connectUpstream = async (
  app: App,
  call: CallContext,
  start: SessionStart,
): Promise<UpstreamSocket> => {
  let connected: UpstreamSocket | undefined
  const attempt = async (_context: CallContext, { channel, key }: Account) => {
    call.upstream.provider = channel.provider.id
    try {
      if (start.setup) checkMessage(channel, start.format.id, start.setup)
      const plan = planAttempt(call, { channel, key }, start.format)
      const result = await connect(app, call, plan, start)
      if (!('socket' in result)) return result
      connected = result
      return undefined
    } catch (error) {
      if (!(error instanceof Fault)) throw error
      return classifyFailure(error, app.settings().retry.RetryCooldownSeconds)
    }
  }
  const { parsed, target, caller, hold } = call
  const held = { context: call, targets: [{ parsed, target, caller }], hold }
  await tryChannels(app, held, { attempt })
  return connected!
}

const planAttempt = (
  { parsed }: CallContext,
  { channel, key }: { channel: Channel; key: ChannelKey },
  { id }: RealtimeFormat,
): Attempt => {
  const upstreamModel = upstreamModelOf(channel, parsed.model)
  const criteria = { operation: 'realtime', dialect: id, model: upstreamModel } as const
  const { endpoint, mode } = chooseEndpoint(channel.provider, { ...criteria, request: parsed })
  if (mode === 'translate')
    throw new Fault('operation.unsupported', {
      detail: `channel ${channel.id} has sessions of another format`,
    })
  return {
    channel,
    key,
    upstreamModel,
    billedModel: billedModelOf(channel, parsed.model),
    endpoint,
    translation: undefined,
    localResponse: undefined,
    storedBy: undefined,
    serving: { requested: {}, head: undefined },
  }
}

const open = (app: App, call: CallContext, attempt: Attempt): WebSocket => {
  const { channel, endpoint, upstreamModel } = attempt
  const { credential } = attempt.key
  const headers = callerHeaders(app, call, channel, endpoint.dialect)
  addProviderHeaders(headers, channel.provider)
  const { origin, path, ...signed } = signRequest(
    app,
    { ...{ channel, credential, model: upstreamModel, stream: false }, ...pathOf(endpoint) },
    { method: 'GET', headers: setHeaders(headers, channel.requestHeaders), body: null },
  )
  const { channels, relay } = app.settings()
  const connect = connectorOf(
    { channel, credential, origin },
    {
      timeout: relay.ConnectTimeoutSeconds * 1_000,
      isPrivateAllowed: channels.PrivateAddressesAllowed,
    },
  )
  const { protocol, hostname, host, port } = new URL(origin)
  // Node takes the socket from the callback where the function returns none; the types do not know that.
  const createConnection = ((_options: unknown, done: buildConnector.Callback) =>
    void connect({ protocol, hostname, host, port }, done)) as unknown as NonNullable<
    ClientOptions['createConnection']
  >
  return new WebSocket(origin.replace(/^http/, 'ws') + path, {
    headers: objectOf(signed.headers),
    perMessageDeflate: false,
    maxPayload: messageMax,
    followRedirects: false,
    createConnection,
  })
}

const objectOf = (headers: readonly string[]): Record<string, string> => {
  const object: Record<string, string> = {}
  for (let at = 0; at < headers.length; at += 2) object[headers[at]!] = headers[at + 1]!
  return object
}

const pathOf = ({ path, fromOrigin }: Endpoint) => ({ path, fromOrigin })

/** Resolves with the open socket, or with the vendor's refusal. */
const connect = (
  app: App,
  call: CallContext,
  attempt: Attempt,
  { format, encodeSetup }: SessionStart,
): Promise<UpstreamSocket | ErrorClassification> =>
  new Promise((resolve, reject) => {
    const socket = open(app, call, attempt)
    const received: SocketMessage[] = []
    const { channel, endpoint, upstreamModel } = attempt
    const settle = (result: UpstreamSocket | ErrorClassification) => {
      stop()
      resolve(result)
    }
    const fail = (fault: Fault) => {
      stop()
      socket.terminate()
      reject(fault)
    }
    const classify = (answer: ErrorAnswer) =>
      classifyUpstreamError(app, errorSource(call, attempt), answer)
    const accept = () => {
      socket.pause()
      settle({ socket, attempt, received })
    }
    const timeoutMs = app.settings().relay.FirstByteTimeoutSeconds * 1_000
    const timer = timers(app).start(timeoutMs, () => fail(new Fault('upstream.timeout')))
    const stop = () => {
      timers(app).stop(timer)
      call.abort.onAbort = undefined
      socket.off('close', onClose)
    }
    const onClose = (code: number, reason: Buffer) =>
      settle(classify(format.decodeClose(code, String(reason))))
    call.abort.onAbort = reason => fail(new Fault('upstream.broken', { detail: reason }))
    socket.on('close', onClose)
    socket.on('message', (data, isBinary) => {
      received.push({ data: data as Buffer, isBinary })
      if (encodeSetup && received.length === 1) accept()
    })
    socket.once('open', () => {
      if (!encodeSetup) return accept()
      const fields = { model: upstreamModel, other: channel.other }
      socket.send(encodeSetup(endpoint.sessionModel?.(fields) ?? upstreamModel))
    })
    socket.once('unexpected-response', (_request, response: IncomingMessage) => {
      stop()
      readRefusal(app, response)
        .then(refusal => resolve(classify(refusal)), reject)
        .finally(() => socket.terminate())
    })
    socket.on('error', cause => {
      const detail = `channel ${channel.id}: ${cause.message}`
      fail(cause instanceof Fault ? cause : new Fault('upstream.unreachable', { detail, cause }))
    })
  })

const readRefusal = async (app: App, response: IncomingMessage) => {
  const chunks: Buffer[] = []
  let size = 0
  const timer = timers(app).start(refusalMs, () => response.destroy())
  try {
    for await (const chunk of response) {
      chunks.push(chunk as Buffer)
      size += chunk.length
      if (size > refusalMax) break
    }
  } catch {
    // The status of a body that breaks off or stalls says enough.
  } finally {
    timers(app).stop(timer)
  }
  return {
    body: Buffer.concat(chunks),
    status: response.statusCode ?? 0,
    retryAfterSeconds: readRetryAfter(response.headers['retry-after'], app.now()),
  }
}
