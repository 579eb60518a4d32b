import { QueryClient, queryOptions } from '@tanstack/react-query'
import { isApiError } from './error.ts'

/** The cache of all server data. Only a lost connection is retried; a refusal is final. */
export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 15_000,
      refetchOnWindowFocus: false,
      retry: (count, error) => count < 2 && isApiError(error) && error.status === 0,
      retryDelay: count => 500 * 2 ** count,
    },
  },
})

const selfKey = ['profile', 'get']

/** Forgets the signed-in user. The route guard then redirects to the sign-in page. */
export const clearSession = () => {
  localStorage.removeItem('user')
  queryClient.setQueryData(selfKey, null)
}

/** Query options of the signed-in user. Without a session the result is null, not an error. */
export const makeSessionQuery = <U>(load: (input: undefined, signal: AbortSignal) => Promise<U>) =>
  queryOptions({
    queryKey: selfKey,
    queryFn: ({ signal }): Promise<U | null> =>
      load(undefined, signal).catch((error: unknown) => {
        if (isApiError(error) && error.status === 401) return null
        throw error
      }),
  })
