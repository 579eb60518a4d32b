import { api, type Call } from '../../api/index.ts'
import type { ListState } from '../../ui/table/state/list-url.ts'
import { listInput } from '../../ui/table/state/rows.ts'

/** The address of the CSV file of all rows that match the filters. */
export const exportAddress = (
  isAdmin: boolean,
  state: ListState,
  fixed: object,
  since: number | undefined,
): string => {
  const call = (isAdmin ? api.logs.export : api.logs.selfExport) as Call
  const chosen = since === undefined ? {} : { start_timestamp: since }
  const entries = Object.entries({ ...listInput(call, state, fixed), ...chosen })
  const query = new URLSearchParams(entries.map(([key, value]) => [key, String(value)])).toString()
  const path = isAdmin ? '/api/log/export' : '/api/log/self/export'
  return query ? `${path}?${query}` : path
}
