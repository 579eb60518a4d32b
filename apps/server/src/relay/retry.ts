import { Fault } from '@hub/contract'
import type { App } from '../core/app.ts'
import type { Call } from '../core/call.ts'
import type { Channel } from './channels/channel.ts'
import { refuseCredential } from './channels/disable.ts'
import { isResting, rest } from './channels/health.ts'
import { pick, type Serving } from './channels/pick.ts'
import type { Exchange } from './exchange.ts'
import type { Verdict } from './judge.ts'

export type Wanted = { model: string; hasTools: boolean; stream: boolean; serving: Serving }

/**
 * Tries channels until one answers. `attempt` says undefined when the caller was answered, and a verdict as long as
 * not one byte went to the caller: retry ends where the answer begins.
 */
export const retrying = async (
  app: App,
  call: Call,
  exchange: Exchange,
  wanted: Wanted,
  attempt: (channel: Channel) => Promise<Verdict | undefined>,
): Promise<void> => {
  const { RetryTimes, RetryTimeOut } = app.settings().retry
  const deadline = call.startedAt + RetryTimeOut * 1_000
  const except = call.pin?.except
  const { model, hasTools, stream, serving } = wanted
  const wish = {
    model,
    hasTools,
    stream,
    excluded: except === undefined ? undefined : new Set([except]),
    isResting: isResting(app),
    random: Math.random,
  }
  let last: Verdict | undefined

  for (let tries = 0; tries <= RetryTimes; tries++) {
    const channel = pick(serving, wish)
    if (!channel) break
    last = await attempt(channel)
    if (last === undefined) return
    // A caller who left, or a server that stops, says nothing about the channel.
    if (exchange.stopped !== undefined) break
    mark(app, channel, model, last)
    wish.excluded ??= new Set()
    wish.excluded.add(channel.id)
    const isOver = app.monotonic() > deadline
    if (!last.canRetry || isOver || call.pin?.only !== undefined) break
  }
  if (exchange.stopped === 'stopping') throw new Fault('server.stopping', { retryAfterSeconds: 1 })
  if (!last) throw new Fault('channel.none', { hint: `Model: ${model.slice(0, 200)}.` })
  exchange.told = last.told
  throw last.fault
}

const mark = (app: App, channel: Channel, model: string, verdict: Verdict) => {
  rest(app, channel, model, verdict.restSeconds)
  if (verdict.refused) refuseCredential(app, channel, verdict.refused, verdict.reason)
  app.log.info(
    { channel: channel.id, code: verdict.fault.code, detail: verdict.fault.detail },
    'a channel did not answer',
  )
}
