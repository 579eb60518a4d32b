import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { api, isRoot, query, useSession, useSite } from '../../api'
import { splitNames } from '../../ui/form/names.ts'

const firstRow = { page: 1, size: 1 }
export type StepId = 'address' | 'channel' | 'price' | 'token'
export type Steps = { id: StepId; done: boolean }[]

const unpricedModels = (
  channels: readonly { models: string }[],
  available: Record<string, unknown>,
): string[] => {
  const names = new Set(channels.flatMap(each => splitNames(each.models)))
  return [...names].filter(name => !name.endsWith('*') && !available[name])
}

/** The setup steps before the first call: the site's address, a channel, a price and a token. */
export const useFirstSteps = (enabled: boolean) => {
  const site = useSite()
  // The address is a setting, which only a super administrator changes.
  const setsAddress = isRoot(useSession())
  // A channel that was left before its last step is disabled, and answers nothing.
  const channels = useQuery({ ...query(api.channels.list, { ...firstRow, status: 1 }), enabled })
  const models = useQuery({ ...query(api.models.available), enabled })
  const tokens = useQuery({ ...query(api.tokens.list, firstRow), enabled })
  const calls = useQuery({ ...query(api.logs.list, { ...firstRow, log_type: 2 }), enabled })
  const isKnown = Boolean(channels.data && models.data && tokens.data && calls.data)
  const isMissing = isKnown && calls.data?.total_count === 0
  const offered = useQuery({
    ...query(api.channels.list, { page: 1, size: 100, status: 1 }),
    enabled: enabled && isMissing,
  })
  const unpriced = unpricedModels(offered.data?.data ?? [], models.data ?? {})
  const isPriced = Object.keys(models.data ?? {}).length > 0
  const steps: Steps = [
    ...(setsAddress ? [{ id: 'address' as const, done: site.server_address !== '' }] : []),
    { id: 'channel', done: (channels.data?.total_count ?? 0) > 0 },
    { id: 'price', done: isPriced && unpriced.length === 0 },
    { id: 'token', done: (tokens.data?.total_count ?? 0) > 0 },
  ]
  // The steps stay visible after the first call, until the page is left.
  const [wasMissing, setWasMissing] = useState(false)
  if (enabled && isMissing && !wasMissing) setWasMissing(true)
  return {
    steps,
    /** The offered models without a price. */
    unpriced,
    /** A first call can succeed, even without an address and if some models have no price yet. */
    isReady:
      isPriced && steps.every(each => each.done || each.id === 'price' || each.id === 'address'),
    isLoading: enabled && !isKnown && !channels.isError,
    isNeeded: enabled && wasMissing,
  }
}
