import { useLocation, useNavigate, useSearchParams } from 'react-router'
import { type ListState, readListState, writeListState } from './list-url.ts'
import { readPageSize, writePageSize } from './preferences.ts'

type Options = { resource: string; filterKeys: readonly string[]; order: string }

/** The state of one list. It lives in the URL, so that it can be shared and restored by the back button. */
export const useListState = ({ resource, filterKeys, order }: Options) => {
  const [params] = useSearchParams()
  const { hash } = useLocation()
  const navigate = useNavigate()
  const defaults = { page: 1, size: readPageSize(resource), order }
  const state = readListState(params, filterKeys, defaults)

  const change = (patch: Partial<ListState>, replace = false) => {
    const next = writeListState(params, { ...state, ...patch }, filterKeys, defaults)
    // Pages keep their tab in the hash, which `setSearchParams` would drop.
    void navigate({ search: String(next), hash }, { replace, preventScrollReset: true })
  }

  return {
    state,
    /** Without a cursor the page is found by its number. */
    setPage: (page: number, after = '') => change({ page, after }),
    setOrder: (next: string) => change({ order: next, page: 1 }),
    setSize: (size: number) => {
      writePageSize(resource, size)
      change({ size, page: 1 })
    },
    setFilter: (key: string, value: string) =>
      change({ filters: { ...state.filters, [key]: value }, page: 1 }),
    clearFilters: () => change({ filters: {}, page: 1 }),
    setOpen: (open: string) => change({ open }, true),
  }
}

export type ListControl = ReturnType<typeof useListState>
