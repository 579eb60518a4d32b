import { isDialect, type ParsedRequest } from '@hub/dialects'
import type { App } from '../../core/app.ts'
import { timers } from '../../core/timers.ts'
import type { AuthenticatedContext } from '../context.ts'
import { beginAnswer, streamHeaders, writeChunks } from './write.ts'

/**
 * Pings the caller while no channel has answered, because proxies cut connections that are silent for a minute. The head
 * is sent with the first ping. Another channel may still be tried; a later fault is an error event, or the body under 200.
 * Undefined: this caller is not pinged.
 */
export const startEarlyPings = (
  app: App,
  context: AuthenticatedContext,
  parsed: ParsedRequest,
): Disposable | undefined => {
  const pings = earlyPings(app, context, parsed)
  if (!pings) return undefined
  const { response, abort } = context
  const timer = timers(app).start(pings.delay, () => {
    if (response.firstByteAt !== undefined || abort.reason !== undefined) return
    beginAnswer(context, pings.headers)
    writeChunks(response, [pings.ping])
    timers(app).refresh(timer, pings.interval)
  })
  response.sendsEarlyPings = true
  return { [Symbol.dispose]: () => timers(app).stop(timer) }
}

/** Milliseconds between the pings of a token's heartbeat, as in One Hub. */
const heartbeatInterval = 5_000
/** JSON may begin with any white space: https://www.rfc-editor.org/rfc/rfc8259#section-2 */
const jsonPing = Buffer.from('\n')
const jsonHeaders = ['content-type', 'application/json', 'x-accel-buffering', 'no']

type EarlyPings = { ping: Buffer; headers: readonly string[]; delay: number; interval: number }

/** Streams are pinged by the setting of the site, and both streams and whole answers by the heartbeat of their token. */
const earlyPings = (
  app: App,
  { dialect, caller, body }: AuthenticatedContext,
  parsed: ParsedRequest,
): EarlyPings | undefined => {
  const { heartbeat } = caller.setting
  const ofToken = heartbeat.enabled ? heartbeat.timeout_seconds * 1_000 : Number.POSITIVE_INFINITY
  const ofSite = app.settings().relay.PingSeconds * 1_000 || Number.POSITIVE_INFINITY
  const delay = parsed.stream ? Math.min(ofToken, ofSite) : ofToken
  // The caller of a background response must not see a byte before its hold is detached.
  if (delay === Number.POSITIVE_INFINITY || parsed.state?.background) return undefined
  if (parsed.stream) {
    if (dialect.ping === '') return undefined
    const ping = Buffer.from(dialect.pingBeforeFirstEvent ?? dialect.ping)
    const interval = heartbeat.enabled ? Math.min(ofSite, heartbeatInterval) : ofSite
    return { ping, headers: streamHeaders(dialect), delay, interval }
  }
  // Other operations may answer with something other than JSON; a message of a WebSocket has no beginning.
  if (!isDialect(dialect) || body.received !== undefined) return undefined
  return { ping: jsonPing, headers: jsonHeaders, delay, interval: heartbeatInterval }
}
