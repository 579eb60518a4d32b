import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { api, query } from '../../api'

const firstRow = { page: 1, size: 1 }
export type StepId = 'channel' | 'price' | 'token'
export type Steps = { id: StepId; done: boolean }[]

/** The setup steps before the first call: a channel, a price and a token. */
export const useFirstSteps = (enabled: boolean) => {
  const channels = useQuery({ ...query(api.channels.list, firstRow), enabled })
  const models = useQuery({ ...query(api.models.available), enabled })
  const tokens = useQuery({ ...query(api.tokens.list, firstRow), enabled })
  const calls = useQuery({ ...query(api.logs.list, { ...firstRow, log_type: 2 }), enabled })
  const isKnown = Boolean(channels.data && models.data && tokens.data && calls.data)
  const offeredModels = (channels.data?.data[0]?.models ?? '').split(',').filter(Boolean)
  const steps: Steps = [
    { id: 'channel', done: (channels.data?.total_count ?? 0) > 0 },
    { id: 'price', done: Object.keys(models.data ?? {}).length > 0 },
    { id: 'token', done: (tokens.data?.total_count ?? 0) > 0 },
  ]
  const isMissing = isKnown && (calls.data?.total_count ?? 0) === 0
  // The steps stay visible after the first call, until the page is left.
  const [wasMissing, setWasMissing] = useState(false)
  if (enabled && isMissing && !wasMissing) setWasMissing(true)
  return {
    steps,
    /** The first offered model without a price. */
    unpriced: offeredModels.find(name => !name.endsWith('*') && !models.data?.[name]) ?? '',
    isLoading: enabled && !isKnown && !channels.isError,
    isNeeded: enabled && wasMissing,
  }
}
