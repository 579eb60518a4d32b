import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { api, query } from '../../api'

const one = { page: 1, size: 1 }
export type StepId = 'channel' | 'price' | 'token'
export type Steps = { id: StepId; done: boolean }[]

/** What is still missing before the first call: the channel, its price, the token, and the call itself. */
export const useFirstSteps = (enabled: boolean) => {
  const channels = useQuery({ ...query(api.channels.list, one), enabled })
  const models = useQuery({ ...query(api.models.available), enabled })
  const tokens = useQuery({ ...query(api.tokens.list, one), enabled })
  const calls = useQuery({ ...query(api.logs.list, { ...one, log_type: 2 }), enabled })
  const isKnown = Boolean(channels.data && models.data && tokens.data && calls.data)
  const offered = (channels.data?.data[0]?.models ?? '').split(',').filter(Boolean)
  const steps: Steps = [
    { id: 'channel', done: (channels.data?.total_count ?? 0) > 0 },
    { id: 'price', done: Object.keys(models.data ?? {}).length > 0 },
    { id: 'token', done: (tokens.data?.total_count ?? 0) > 0 },
  ]
  const isMissing = isKnown && (calls.data?.total_count ?? 0) === 0
  // Whoever sees the steps also sees how they end.
  const [wasMissing, setWasMissing] = useState(false)
  if (enabled && isMissing && !wasMissing) setWasMissing(true)
  return {
    steps,
    /** The first model that waits for a price. */
    unpriced: offered.find(name => !name.endsWith('*') && !models.data?.[name]) ?? '',
    isLoading: enabled && !isKnown && !channels.isError,
    isNeeded: enabled && wasMissing,
  }
}
