import { createHash } from 'node:crypto'
import { noUsage } from '@hub/dialects/usage'
import type { App } from '../../core/app.ts'
import { nowSeconds } from '../../core/app.ts'
import { appScoped } from '../../core/app-scoped.ts'
import type { Call } from '../../core/call.ts'
import { findOrCreateVersions } from '../../db/queries/price-versions.ts'
import type { Reservation } from '../open-hold.ts'
import { prepareCost } from '../price.ts'
import type { EffectivePrice } from '../price-cache.ts'
import { termsOf } from '../prices/terms.ts'
import { openHold } from './submit-hold.ts'

/** No channel serves an answer out of the response cache. */
const noChannel = 0

/** A price version of its own, so that the receipt of 0 points can be computed again like any other. */
const freePrice = appScoped((app): (() => Promise<Omit<EffectivePrice, 'model' | 'group'>>) => {
  const price = { model: '', type: 'tokens' as const, channel_type: 0, input: '0', output: '0' }
  const terms = termsOf({ ...price, extra_ratios: null }, '1', {})
  const body = JSON.stringify(terms)
  const hash = createHash('sha256').update(body).digest('hex')
  let priceId: number | undefined
  return async () => {
    const versions = () =>
      findOrCreateVersions(app.callDb, new Map([[hash, body]]), nowSeconds(app))
    priceId ??= (await versions()).get(hash)!
    return { priceId, type: price.type, terms, ...prepareCost(terms) }
  }
})

type CacheHit = {
  model: string
  stream: boolean
  firstByteMs: number
  path: string
  idempotency: Reservation['idempotency']
}

/**
 * Posts a charge of 0 points with its receipt and log row. The hold of 0 points refuses a frozen account and a disabled,
 * expired or exhausted token, as it does for any call.
 */
export const chargeCacheHit = async (
  app: App,
  call: Call,
  { model, stream, firstByteMs, path, idempotency }: CacheHit,
): Promise<void> => {
  const price = { ...(await freePrice(app)()), model, group: call.caller.group }
  const quote = { amount: 0, models: [model], prices: [price], mostExpensive: price }
  const hold = await openHold(app, call, quote, idempotency)
  try {
    await hold.settle(
      {
        ...{ model, requestedModel: model, channelId: noChannel, stream, firstByteMs, path },
        ...{ usage: noUsage(), estimated: false, finish: 'complete', warnings: [], cache: 'hit' },
      },
      true,
    )
  } finally {
    await hold.release()
  }
}
