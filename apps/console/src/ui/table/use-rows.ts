import type { Endpoint, Page } from '@hub/contract'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { Call } from '../../api/client.ts'
import type { ListState } from './list-url.ts'
import { inputOf, pageOfAll } from './rows.ts'

type Source = {
  list: unknown
  fixed?: object
  refreshSeconds?: number
}

export type Rows<T> = {
  page: Page<T> | undefined
  error: unknown
  isLoading: boolean
  /** Rows of the page before, while the next one is on its way. */
  isStale: boolean
  retry: () => void
}

/** The rows of one page. After a failure the old ones stay. */
export const useRows = <T extends object>(source: Source, state: ListState): Rows<T> => {
  const list = source.list as Call<Endpoint>
  const input = inputOf(list.endpoint, state, source.fixed ?? {})
  const { data, error, isFetching, isPlaceholderData, refetch } = useQuery({
    queryKey: [list.resource, list.action, input],
    queryFn: ({ signal }) => list(input, signal) as Promise<Page<T> | T[]>,
    placeholderData: keepPreviousData,
    refetchInterval: source.refreshSeconds ? source.refreshSeconds * 1000 : false,
  })
  // A placeholder ends with the call it stood in for: after a failure only what was kept here is left.
  const [kept, setKept] = useState(data)
  if (data !== undefined && data !== kept) setKept(data)
  const shown = data ?? kept
  return {
    page: Array.isArray(shown) ? pageOfAll(shown, state) : shown,
    error,
    isLoading: shown === undefined && isFetching,
    isStale: isPlaceholderData || (data === undefined && kept !== undefined),
    retry: () => void refetch(),
  }
}
