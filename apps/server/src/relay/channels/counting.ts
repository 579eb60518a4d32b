import type { DialectId } from '@hub/dialects'
import type { Counting } from '@hub/providers'
import type { App } from '../../core/app.ts'
import type { Call } from '../../core/call.ts'
import { type Channel, sentAs } from './channel.ts'
import { isResting } from './health.ts'
import { pick, type Serving } from './pick.ts'

type Wanted = { model: string; hasTools: boolean; dialect: DialectId; serving: Serving }

/** One of the channels whose vendors count tokens in this dialect; undefined: there is none, or it rests. */
export const pickCounting = (
  app: App,
  { pin }: Call,
  { model, hasTools, dialect, serving }: Wanted,
): { channel: Channel; counter: Counting } | undefined => {
  const channels = serving.tiers.flatMap(each => each.channels)
  const others = channels.filter(each => !counterOf(each, model, dialect)).map(each => each.id)
  const excluded = new Set(pin?.except === undefined ? others : [...others, pin.except])
  const wish = { model, hasTools, stream: false, excluded, isResting: isResting(app) }
  const channel = pick(serving, { ...wish, random: Math.random })
  const counter = channel && counterOf(channel, model, dialect)
  return channel && counter ? { channel, counter } : undefined
}

const counterOf = (channel: Channel, model: string, dialect: DialectId): Counting | undefined => {
  const { provider, lacks } = channel
  const counter = lacks === dialect ? undefined : provider.counts?.[dialect]
  return counter?.only && !counter.only.test(sentAs(channel, model)) ? undefined : counter
}
