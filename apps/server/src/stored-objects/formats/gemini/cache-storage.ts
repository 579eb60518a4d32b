import { Fault } from '@hub/contract'
import { noUsage, type Usage } from '@hub/dialects'
import { secondsOfTime } from '@hub/providers'
import { openHold } from '../../../billing/calls/submit-hold.ts'
import { type EffectivePrice, priceCache } from '../../../billing/price-cache.ts'
import type { App } from '../../../core/app.ts'
import { billOf, type Channel, upstreamModelOf } from '../../../relay/channels/channel.ts'
import type { AuthenticatedContext } from '../../../relay/context.ts'
import type { Admission } from '../../../relay/limits/admit.ts'

/** The unit of storage in prices and receipts: one token for one hour, as Google prices it per million. */
const storageKind = 'cache_storage'

/** Google stores without an end. A longer time would be charged in advance to somebody who forgets it. */
const secondsMax = 30 * 24 * 3_600
/** “If not set, the TTL defaults to 1 hour”: https://ai.google.dev/gemini-api/docs/caching */
const secondsDefault = 3_600

type ExpiryFields = { ttl?: unknown; expireTime?: unknown; expire_time?: unknown }

/** The seconds from now on for which a request wants to store something; undefined where it does not say. */
export const readSeconds = (app: App, fields: object): number | undefined => {
  const { ttl, expireTime, expire_time: expireTimeToo } = fields as ExpiryFields
  const given = [ttl, expireTime, expireTimeToo].filter(each => each !== undefined)
  if (given.length === 0) return undefined
  const [, duration] = /^(\d{1,9}(?:\.\d{1,9})?)s$/.exec(String(ttl)) ?? []
  const end = secondsOfTime(expireTime ?? expireTimeToo)
  const seconds =
    ttl === undefined ? end && end - Math.floor(app.now() / 1_000) : Math.ceil(Number(duration))
  if (given.length === 1 && seconds !== undefined && seconds > 0 && seconds <= secondsMax)
    return seconds
  throw new Fault('request.invalid', {
    hint: "Give either 'ttl', such as 3600s, or 'expireTime', at most 30 days from now.",
  })
}

export const storedSeconds = (app: App, fields: object): number =>
  readSeconds(app, fields) ?? secondsDefault

/** Tokens that are read once, and stored for a time. */
export const storageUsage = (stored: { read: number; tokens: number; seconds: number }): Usage => ({
  ...noUsage(),
  input: stored.read,
  tools: { [storageKind]: Math.ceil((stored.tokens * stored.seconds) / 3_600) },
})

/** Finds the price of a model with storage. Throws `price.unknown` where it has none: nothing is stored unpriced. */
const requirePrice = (app: App, model: string, group: string): EffectivePrice => {
  const price = priceCache(app).find(model, group)
  if (price?.terms.tools[storageKind] !== undefined) return price
  throw new Fault('price.unknown', { hint: `Needed: ${model} with the tool ${storageKind}.` })
}

type StorageCharge = {
  model: string
  billedModel: string
  channel: Channel
  /** The most that it may use, as far as it is known before. */
  usage: Usage
  admission: Admission
}

/** The usage of something that is stored now, and what its owner is answered once it is charged. */
type Stored = { usage: Usage; estimated: boolean; answer(): void }

/** Reserves storage, runs `store`, and charges it before the owner is answered. Nothing is charged where it rejects. */
export const withStorageHold = async (
  app: App,
  context: AuthenticatedContext,
  { model, billedModel, channel, usage, admission }: StorageCharge,
  store: () => Promise<Stored>,
): Promise<void> => {
  const price = requirePrice(app, billedModel, context.caller.group)
  const models = [billedModel]
  const reservation = { models, promptTokens: 0, outputMax: 0, n: 1, stream: false, usage }
  const quote = { amount: price.cost(usage), models, prices: [price], mostExpensive: price }
  await using hold = await admission.open(context, reservation, () => openHold(app, context, quote))
  const stored = await store()
  context.record.isCharged = true
  await hold.settle({
    ...{ model: billedModel, requestedModel: model, channelId: channel.id },
    bill: billOf(channel, { upstreamModel: upstreamModelOf(channel, model) }),
    ...{ usage: stored.usage, estimated: stored.estimated },
    ...{ finish: 'complete', stream: false, warnings: [] },
    firstByteMs: Math.round(app.monotonic() - context.startedAt),
  })
  stored.answer()
}
