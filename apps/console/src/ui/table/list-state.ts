import { useSearchParams } from 'react-router'
import { type ListState, readListState, writeListState } from './list-url.ts'
import { readSize, writeSize } from './preferences.ts'

type Setup = { of: string; filterKeys: readonly string[]; order: string }

/** The state of one list, kept in the address so that it can be shared, and gone back to. */
export const useListState = ({ of, filterKeys, order }: Setup) => {
  const [params, setParams] = useSearchParams()
  const defaults = { page: 1, size: readSize(of), order }
  const state = readListState(params, filterKeys, defaults)

  const change = (patch: Partial<ListState>, replace = false) =>
    setParams(
      now => {
        const next = { ...readListState(now, filterKeys, defaults), ...patch }
        return writeListState(now, next, filterKeys, defaults)
      },
      { replace, preventScrollReset: true },
    )

  return {
    state,
    setPage: (page: number) => change({ page }),
    setOrder: (next: string) => change({ order: next, page: 1 }),
    setSize: (size: number) => {
      writeSize(of, size)
      change({ size, page: 1 })
    },
    setFilter: (key: string, value: string) =>
      change({ filters: { ...state.filters, [key]: value }, page: 1 }),
    clearFilters: () => change({ filters: {}, page: 1 }),
    setOpen: (open: string) => change({ open }, true),
  }
}

export type ListControl = ReturnType<typeof useListState>
