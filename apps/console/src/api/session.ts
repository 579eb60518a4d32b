import { QueryClient, queryOptions } from '@tanstack/react-query'
import { isApiError } from './error.ts'

/** The cache of all server data. A request is retried twice, and only if the server was not reached. */
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

/** Marks the user as signed out in this browser, without calling the server. The route guard then shows the sign-in page. */
export const clearSession = () => {
  localStorage.removeItem('user')
  queryClient.setQueryData(selfKey, null)
}

/** Query options of the signed-in user. Without a session the result is null, not an error. */
export const makeSessionQuery = <U>(load: () => Promise<U>) =>
  queryOptions({
    queryKey: selfKey,
    queryFn: (): Promise<U | null> =>
      load().catch((error: unknown) => {
        if (isApiError(error) && error.status === 401) return null
        throw error
      }),
    // While the server is away, each try waits longer than the last, up to half a minute.
    refetchInterval: ({ state }) =>
      state.status === 'error' ? Math.min(30_000, 1000 * 2 ** state.errorUpdateCount) : false,
  })
