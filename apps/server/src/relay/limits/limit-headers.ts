import type { App } from '../../core/app.ts'
import type { LimitStatus } from '../../state/index.ts'
import type { RequestContext } from '../context.ts'

/** A limit that the caller sees in the answer's headers. */
export type VisibleLimit = LimitStatus & { unit: 'requests' | 'tokens' }

export type ReportLimits = (limits: readonly VisibleLimit[]) => void

/** Adds the tightest limit of each unit to the answer's headers, under the names of the caller's dialect. */
export const addLimitHeaders = (
  app: App,
  { dialect, headers }: RequestContext,
  limits: readonly VisibleLimit[],
): void => {
  if (!dialect.limitHeaders) return
  for (const unit of ['requests', 'tokens'] as const) {
    let tightest: VisibleLimit | undefined
    for (const each of limits)
      if (each.unit === unit && (!tightest || each.remaining < tightest.remaining)) tightest = each
    if (tightest) headers.push(...dialect.limitHeaders(tightest, app.now()))
  }
}
