import type { Fault } from '@hub/contract'
import type { CallerFormat, ParsedRequest, UpstreamFormat } from '@hub/dialects'
import type { App } from '../core/app.ts'
import { type Channel, upstreamModelOf } from '../relay/channels/channel.ts'
import type { ChannelKey } from '../relay/channels/keys.ts'
import type { Operation } from '../relay/operations/operation.ts'
import { joinStream } from '../relay/response/convert-framing.ts'
import { chooseEndpoint } from '../relay/routing/endpoint.ts'
import { fetchSmall, isEventStream } from '../relay/upstream/fetch-small.ts'
import { prepare } from '../relay/upstream/prepare.ts'
import { classifyUpstreamError } from '../relay/upstream/upstream-error.ts'

const responseBytesMax = 1024 * 1024
/** A test that takes longer has failed, whatever the timeouts of live calls are. */
const timeoutMs = 60_000

/** A small request of one operation, in the dialect of a caller. */
export type Sample = { operation: Operation; dialect: CallerFormat; body: object }

/** `isRefused`: the vendor refused the credential. */
export type SampleFailure = { fault: Fault; reason: string; isRefused: boolean; status?: number }

export type SampleAnswer =
  | { failure: SampleFailure }
  /** The whole answer in the dialect of the upstream, and whether it came as a stream. */
  | { failure: undefined; body: Buffer; dialect: UpstreamFormat; isStream: boolean }

/** Sends a sample with one key of a channel, the way a call is sent. Throws a fault where no answer arrives. */
export const sendSample = async (
  app: App,
  { channel, key: { credential } }: { channel: Channel; key: ChannelKey },
  { operation, dialect: from, request }: Sample & { request: ParsedRequest },
): Promise<SampleAnswer> => {
  const upstreamModel = upstreamModelOf(channel, request.model)
  const { endpoint, mode } = chooseEndpoint(channel.provider, {
    operation: operation.endpoints,
    dialect: from.id,
    model: upstreamModel,
    request,
    options: channel.options,
  })
  // No sample links to a file.
  const fetchLinks = async () => undefined
  const input = { parsed: request, from, endpoint, channel, upstreamModel, fetchLinks }
  const translation = mode === 'pass' ? undefined : await operation.translate(app, input)
  const { parsed, to: dialect } = translation ?? { parsed: request, to: from }
  const outgoing = prepare(app, {
    parsed,
    dialect,
    channel,
    credential,
    endpoint,
    upstreamModel,
    headers: [],
    translatedHeaders: translation?.headers,
  })
  const { status, body, type } = await fetchSmall(app, outgoing, {
    sizeMax: responseBytesMax,
    timeoutMs,
  })
  const isStream = isEventStream(body)
  // Some vendors only stream.
  const whole = isStream ? joinStream(dialect, body) : ({ ok: true, body } as const)
  if (status === 200 && whole.ok && dialect.readAnswer(whole.body, type).ok)
    return { failure: undefined, body: whole.body, dialect, isStream }
  const source = { requestBody: parsed.body, dialect, channel, credential }
  const error = classifyUpstreamError(app, source, { body, status })
  // Without the vendor's own message, the status is the best description.
  const { message } = dialect.decodeFault(body)
  const detail = message === '' ? `Status ${status}, and not an answer.` : error.fault.detail
  const reason = error.reason || (detail ?? '')
  const isRefused = error.refusedCredential !== undefined
  return { failure: { fault: error.fault, reason: reason.slice(0, 300), isRefused, status } }
}
