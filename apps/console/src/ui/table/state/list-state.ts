import { useContext } from 'react'
import { UNSAFE_DataRouterContext } from 'react-router'
import { useAddress } from '../../use-address.ts'
import { closeOpened, pushOpened } from '../../use-dialog.ts'
import { readListState } from './list-url.ts'
import { readPageSize, writePageSize } from './preferences.ts'

/** Removes the page and its cursor from the address. */
const firstPage = { page: '', after: '' }

type Options = { resource: string; filterKeys: readonly string[]; order: string }

/** The state of one list. It lives in the URL, so that it can be shared and restored by the back button. */
export const useListState = ({ resource, filterKeys, order }: Options) => {
  const [params, change] = useAddress()
  const { router } = useContext(UNSAFE_DataRouterContext)!
  const defaults = { page: 1, size: readPageSize(resource), order }
  const state = readListState(params, filterKeys, defaults)

  return {
    state,
    /** Without a cursor the page is found by its number. */
    setPage: (page: number, after = '') =>
      change(page === 1 ? firstPage : { page: String(page), after }),
    setOrder: (next: string) =>
      change({ order: next === defaults.order ? '' : next, ...firstPage }),
    setSize: (size: number) => {
      writePageSize(resource, size)
      change({ size: size === defaults.size ? '' : String(size), ...firstPage })
    },
    setFilter: (key: string, value: string) => change({ [key]: value, ...firstPage }),
    clearFilters: () =>
      change({ ...Object.fromEntries(filterKeys.map(key => [key, ''])), ...firstPage }),
    /** Opens the record of a row. The back button closes it. */
    setOpen: (key: string) => void pushOpened(router, 'row', search => search.set('open', key)),
    closeRow: () => closeOpened(router, 'row', search => search.delete('open')),
  }
}

export type ListControl = ReturnType<typeof useListState>
