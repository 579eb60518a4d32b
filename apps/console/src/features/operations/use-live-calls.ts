import type { LiveCall } from '@hub/contract'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { api } from '../../api'

export const shownCalls = 10
const pollMs = 3_000
const queryKey = ['operations', 'live calls']

/** The newest calls, each once. */
export const merge = (before: readonly LiveCall[], found: readonly LiveCall[]): LiveCall[] => {
  const byId = new Map([...before, ...found].map(call => [call.id, call]))
  return [...byId.values()]
    .toSorted((a, b) => b.created_at - a.created_at || b.id - a.id)
    .slice(0, shownCalls)
}

/** Polls for calls since the newest known one. A hidden tab does not poll. */
export const useLiveCalls = (isWaiting: boolean) => {
  const client = useQueryClient()
  return useQuery({
    queryKey,
    queryFn: async ({ signal }) => {
      const before = client.getQueryData<LiveCall[]>(queryKey) ?? []
      const since = before[0]?.created_at
      const { calls } = await api.operations.calls(since === undefined ? {} : { since }, signal)
      return merge(before, calls)
    },
    refetchInterval: isWaiting ? false : pollMs,
    refetchOnWindowFocus: !isWaiting,
  })
}
