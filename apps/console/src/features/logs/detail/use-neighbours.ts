import type { Log } from '@hub/contract'
import { useQuery } from '@tanstack/react-query'
import { api, type Call, isAdmin, useUser } from '../../../api/index.ts'
import { useAddress } from '../../../ui/index.ts'
import { readListState } from '../../../ui/table/state/list-url.ts'
import { listInput } from '../../../ui/table/state/rows.ts'
import { filtersFor, typeInput } from '../filters.ts'

/** The rows before and after a row in the filter that the address carries, by time. */
export const useNeighbours = (log: Log | undefined) => {
  const newer = useNeighbour(log, 'created_at')
  const older = useNeighbour(log, '-created_at')
  return { newer, older }
}

/** The first row after this one in an order by time; null: there is none; undefined: it is being loaded. */
const useNeighbour = (log: Log | undefined, order: 'created_at' | '-created_at') => {
  const admin = isAdmin(useUser())
  const [params] = useAddress()
  const list = (admin ? api.logs.list : api.logs.self) as Call
  const keys = filtersFor(admin, true).map(each => each.key)
  const { filters } = readListState(params, keys, { page: 1, size: 10, order })
  const after = log ? `${log.created_at}.${log.id}` : ''
  const state = { page: 1, size: 1, order, filters, after, open: '' }
  const input = listInput(list, state, typeInput(params))
  const { data } = useQuery({
    queryKey: ['logs', list.action, input],
    queryFn: ({ signal }) => list(input, signal) as Promise<{ data: Log[] }>,
    enabled: log !== undefined,
  })
  return data === undefined ? undefined : (data.data[0]?.id ?? null)
}
