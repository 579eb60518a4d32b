import type { Endpoint, Page } from '@hub/contract'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { Call } from '../../../api/client.ts'
import type { ListState } from './list-url.ts'
import { listInput, paginate } from './rows.ts'

type Source<T> = {
  list: unknown
  order?: string
  isFirst?: (row: T) => boolean
  searchText?: (row: T) => string
  fixedInput?: object
  refreshSeconds?: number
}

export type Rows<T> = {
  page: Page<T> | undefined
  error: unknown
  isLoading: boolean
  /** True while rows of the previous page are shown and the next page is loading. */
  isStale: boolean
  retry: () => void
}

/** Loads the rows of one page. After a failure the previous rows stay visible. */
export const useRows = <T extends object>(source: Source<T>, state: ListState): Rows<T> => {
  const list = source.list as Call<Endpoint>
  const input = listInput(list, state, source.fixedInput ?? {})
  const { data, error, isFetching, isPlaceholderData, refetch } = useQuery({
    queryKey: [list.resource, list.action, input],
    queryFn: ({ signal }) => list(input, signal) as Promise<Page<T> | T[]>,
    placeholderData: keepPreviousData,
    refetchInterval: source.refreshSeconds ? source.refreshSeconds * 1000 : false,
  })
  // Query drops its placeholder when the call fails, so the last data is stored here as well.
  const [previous, setPrevious] = useState(data)
  if (data !== undefined && data !== previous) setPrevious(data)
  const latest = data ?? previous
  // A chosen order is obeyed alone.
  const isFirst = state.order === source.order ? source.isFirst : undefined
  return {
    page: Array.isArray(latest) ? paginate(latest, state, isFirst, source.searchText) : latest,
    error,
    isLoading: latest === undefined && isFetching,
    isStale: isPlaceholderData || (data === undefined && previous !== undefined),
    retry: () => void refetch(),
  }
}
