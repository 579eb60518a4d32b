import type { IncomingMessage } from 'node:http'
import { Fault } from '@hub/contract'
import { WebSocket } from 'ws'
import type { App } from '../../../core/app.ts'
import {
  billedModelOf,
  type Channel,
  chooseCredential,
  upstreamModelOf,
} from '../../channels/channel.ts'
import type { Attempt, CallContext } from '../../context.ts'
import { chooseEndpoint } from '../../routing/endpoint.ts'
import { retry } from '../../routing/retry.ts'
import { checkHost, publicLookup } from '../../upstream/addresses.ts'
import {
  classifyFailure,
  type ErrorClassification,
  readRetryAfter,
} from '../../upstream/classify-error.ts'
import { addProviderHeaders, forwardedHeaders, setHeaders } from '../../upstream/headers.ts'
import { signRequest } from '../../upstream/sign.ts'
import { classifyUpstreamError, errorSource } from '../../upstream/upstream-error.ts'

const messageMax = 16 * 1024 * 1024
/** Bytes of a refusal that are read. */
const refusalMax = 64 * 1024

/** An open WebSocket to a vendor, paused until it is resumed. */
export type UpstreamSocket = { socket: WebSocket; attempt: Attempt }

/** Connects to one of the call's channels. Throws the fault of the last one where none accepts. */
export const connectUpstream = async (app: App, call: CallContext): Promise<UpstreamSocket> => {
  let connected: UpstreamSocket | undefined
  await retry(app, call, async channel => {
    call.provider = channel.provider.id
    try {
      const attempt = planAttempt(app, call, channel)
      const result = await connect(app, call, attempt)
      if (!(result instanceof WebSocket)) return result
      connected = { socket: result, attempt }
      return undefined
    } catch (error) {
      if (!(error instanceof Fault)) throw error
      return classifyFailure(error, app.settings().retry.RetryCooldownSeconds)
    }
  })
  return connected!
}

const planAttempt = (app: App, { parsed }: CallContext, channel: Channel): Attempt => {
  if (channel.proxy !== '')
    throw new Fault('operation.unsupported', { detail: `channel ${channel.id} has a proxy` })
  const upstreamModel = upstreamModelOf(channel, parsed.model)
  const criteria = { operation: 'realtime', dialect: 'openai', model: upstreamModel } as const
  const { endpoint } = chooseEndpoint(channel.provider, { ...criteria, request: parsed })
  return {
    channel,
    credential: chooseCredential(app, channel),
    upstreamModel,
    billedModel: billedModelOf(channel, parsed.model),
    endpoint,
    translation: undefined,
    localResponse: undefined,
    storedBy: undefined,
  }
}

const open = (app: App, { request }: CallContext, attempt: Attempt): WebSocket => {
  const { channel, credential, endpoint, upstreamModel } = attempt
  const headers = forwardedHeaders(request.rawHeaders)
  addProviderHeaders(headers, channel.provider)
  const { origin, path, ...signed } = signRequest(
    app,
    { channel, credential, path: endpoint.path, model: upstreamModel, stream: false },
    { method: 'GET', headers: setHeaders(headers, channel.headers), body: null },
  )
  const isPrivateAllowed = app.settings().channels.PrivateAddressesAllowed
  if (!isPrivateAllowed) checkHost(new URL(origin).hostname)
  return new WebSocket(origin.replace(/^http/, 'ws') + path, {
    headers: objectOf(signed.headers),
    perMessageDeflate: false,
    maxPayload: messageMax,
    followRedirects: false,
    handshakeTimeout: app.settings().relay.FirstByteTimeoutSeconds * 1_000,
    ...(isPrivateAllowed ? {} : { lookup: publicLookup }),
  })
}

const objectOf = (headers: readonly string[]): Record<string, string> => {
  const object: Record<string, string> = {}
  for (let at = 0; at < headers.length; at += 2) object[headers[at]!] = headers[at + 1]!
  return object
}

/** Resolves with the open socket, or with the vendor's refusal. */
const connect = (
  app: App,
  call: CallContext,
  attempt: Attempt,
): Promise<WebSocket | ErrorClassification> =>
  new Promise((resolve, reject) => {
    const socket = open(app, call, attempt)
    const stop = () => {
      call.onAbort = undefined
    }
    call.onAbort = reason => {
      socket.terminate()
      reject(new Fault('upstream.broken', { detail: reason }))
    }
    socket.once('open', () => {
      stop()
      socket.pause()
      resolve(socket)
    })
    socket.once('unexpected-response', (_request, response: IncomingMessage) => {
      stop()
      readRefusal(app, response)
        .then(refusal => classifyUpstreamError(app, errorSource(call, attempt), refusal))
        .then(resolve, reject)
        .finally(() => socket.terminate())
    })
    socket.on('error', cause => {
      stop()
      const detail = `channel ${attempt.channel.id}: ${cause.message}`
      reject(cause instanceof Fault ? cause : new Fault('upstream.unreachable', { detail, cause }))
    })
  })

const readRefusal = async (app: App, response: IncomingMessage) => {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of response) {
    chunks.push(chunk as Buffer)
    size += chunk.length
    if (size > refusalMax) break
  }
  return {
    body: Buffer.concat(chunks),
    status: response.statusCode ?? 0,
    retryAfterSeconds: readRetryAfter(response.headers['retry-after'], app.now()),
  }
}
