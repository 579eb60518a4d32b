import type { Log } from '@hub/contract'
import { useQuery } from '@tanstack/react-query'
import { api, query } from '../../../api/index.ts'
import { Quota } from '../../../domain/index.ts'
import { formatCount, type KeyValueRow, useT } from '../../../ui/index.ts'
import { cachedPromptOf, cachedText } from './cached-share.tsx'

/** Rows of a call's fields: what its prompt cache read, and what a miss cost. None where the row says nothing of a cache. */
export const useCacheRows = (log: Log): KeyValueRow[] => {
  const t = useT()
  const cached = cachedPromptOf(log)
  // Only calls of a session have the prices by which a miss is counted.
  const hasPrices = log.metadata.cache_prices !== undefined
  const { data } = useQuery({
    ...query(api.logs.cache, { id: log.id }),
    enabled: hasPrices,
    staleTime: Number.POSITIVE_INFINITY,
  })
  if (!cached) return []
  const miss = data?.miss
  return [
    [t('prompt-cache.title'), cachedText(t, cached)],
    ...(miss
      ? [
          [
            t('prompt-cache.missed'),
            miss.tokens === 0 ? (
              t('prompt-cache.hit')
            ) : (
              <span key="miss">
                <Quota value={miss.points} exact />
                {' · '}
                {t('prompt-cache.missedTokens', {
                  tokens: formatCount(miss.tokens),
                  all: formatCount(miss.expected),
                })}
              </span>
            ),
          ] as const,
        ]
      : []),
  ]
}
