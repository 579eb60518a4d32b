import { Fault } from '@hub/contract'
import type { App } from '../core/app.ts'
import type { Call } from '../core/call.ts'
import type { Channel } from './channels/channel.ts'
import { refuseCredential } from './channels/disable.ts'
import { isResting, rest } from './channels/health.ts'
import { pick, type Serving, type Wish } from './channels/pick.ts'
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
  const search = begin(app, call, wanted)
  while (search.triesLeft-- > 0) {
    const channel = pick(wanted.serving, search.wish)
    if (!channel) break
    const verdict = await attempt(channel)
    if (verdict === undefined) return
    search.last = verdict
    // A caller who left, or a server that stops, says nothing about the channel.
    if (exchange.stopped !== undefined) break
    mark(app, channel, wanted.model, verdict)
    search.wish.excluded ??= new Set()
    search.wish.excluded.add(channel.id)
    const isOver = app.monotonic() > search.deadline
    if (!verdict.canRetry || isOver || call.pin?.only !== undefined) break
  }
  throw faultOf(exchange, wanted, search.last)
}

/** What a search for a channel goes by. */
type Search = {
  wish: Wish & { excluded: Set<number> | undefined }
  triesLeft: number
  deadline: number
  last: Verdict | undefined
}

const begin = (app: App, call: Call, { model, hasTools, stream }: Wanted): Search => {
  const { RetryTimes, RetryTimeOut } = app.settings().retry
  const except = call.pin?.except
  return {
    wish: {
      model,
      hasTools,
      stream,
      excluded: except === undefined ? undefined : new Set([except]),
      isResting: isResting(app),
      random: Math.random,
    },
    triesLeft: RetryTimes + 1,
    deadline: call.startedAt + RetryTimeOut * 1_000,
    last: undefined,
  }
}

const faultOf = (exchange: Exchange, { model }: Wanted, last: Verdict | undefined): Fault => {
  if (exchange.stopped === 'stopping') return new Fault('server.stopping', { retryAfterSeconds: 1 })
  if (!last) return new Fault('channel.none', { hint: `Model: ${model.slice(0, 200)}.` })
  exchange.told = last.told
  return last.fault
}

const mark = (app: App, channel: Channel, model: string, verdict: Verdict) => {
  rest(app, channel, model, verdict.restSeconds)
  if (verdict.refused) refuseCredential(app, channel, verdict.refused, verdict.reason)
  app.log.info(
    { channel: channel.id, code: verdict.fault.code, detail: verdict.fault.detail },
    'a channel did not answer',
  )
}
