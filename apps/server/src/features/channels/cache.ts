import type { ChannelCache } from '@hub/contract'
import { type App, nowSeconds } from '../../core/app.ts'
import { makeCacheFigures, noCacheSums } from '../../core/usage/prompt-cache.ts'
import { cacheRange } from '../../core/usage/store-cache-sums.ts'
import { findCountedUntil } from '../../core/usage/store-sums.ts'
import { sumChannelCache } from '../../db/queries/cache-sums.ts'
import { getChannel } from './channel.ts'

/** Reads what the prompt cache of a channel read and missed in the last 7 days, out of sums by hour. */
export const readChannelCache = async (app: App, id: number): Promise<ChannelCache> => {
  await getChannel(app.db, id)
  const { begin } = cacheRange(nowSeconds(app))
  const models = (await sumChannelCache(app.db, id, begin)).toSorted(
    (a, b) => b.prompt_tokens - a.prompt_tokens || (a.model < b.model ? -1 : 1),
  )
  const totals = models.reduce<typeof noCacheSums>(
    (sums, each) => ({
      requests: sums.requests + each.requests,
      prompt_tokens: sums.prompt_tokens + each.prompt_tokens,
      read_tokens: sums.read_tokens + each.read_tokens,
      written_tokens: sums.written_tokens + each.written_tokens,
      expecting: sums.expecting + each.expecting,
      missing: sums.missing + each.missing,
      missed_tokens: sums.missed_tokens + each.missed_tokens,
      missed_points: sums.missed_points + each.missed_points,
    }),
    noCacheSums,
  )
  return {
    begin,
    until: (await findCountedUntil(app.db)) ?? null,
    totals: makeCacheFigures(totals),
    models: models.map(each => ({ model: each.model, ...makeCacheFigures(each) })),
  }
}
