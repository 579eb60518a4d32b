import type { Dialect } from '@hub/dialects'
import type { App } from '../../core/app.ts'
import type { Exchange } from '../exchange.ts'
import type { Limited } from './limits.ts'

/** Puts the tightest limit of each kind into the answer's headers, under the names of the caller's dialect. */
export const tellLimits = (
  app: App,
  exchange: Exchange,
  dialect: Dialect,
  limited: readonly Limited[],
): void => {
  if (!dialect.limitHeaders) return
  for (const kind of ['requests', 'tokens'] as const) {
    let tightest: Limited | undefined
    for (const each of limited)
      if (each.of === kind && (!tightest || each.remaining < tightest.remaining)) tightest = each
    if (tightest) exchange.headers.push(...dialect.limitHeaders(tightest, app.now()))
  }
}
