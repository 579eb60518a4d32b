import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { api, isRoot, query, useSession } from '../../../api'

/** The call is made elsewhere, and other administrators may complete a step. */
const intervalMs = 3_000

/** The steps before the first answered call, as the server sees them. */
export const useFirstSteps = (enabled: boolean) => {
  const client = useQueryClient()
  // The address is a setting, which only a super administrator changes.
  const setsAddress = isRoot(useSession())
  const { data: steps, isError } = useQuery({
    ...query(api.operations.firstSteps),
    enabled,
    refetchInterval: ({ state }) => (state.data && !state.data.call.done ? intervalMs : false),
  })
  // The steps stay visible after the first call, until the page is left.
  const [wasMissing, setWasMissing] = useState(false)
  const isMissing = steps !== undefined && !steps.call.done
  if (enabled && isMissing && !wasMissing) setWasMissing(true)
  return {
    steps,
    setsAddress,
    refresh: () =>
      client.invalidateQueries({ queryKey: query(api.operations.firstSteps).queryKey }),
    isLoading: enabled && steps === undefined && !isError,
    isNeeded: enabled && wasMissing,
  }
}
