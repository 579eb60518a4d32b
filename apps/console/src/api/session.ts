import { QueryClient, queryOptions } from '@tanstack/react-query'
import { isApiError } from './error.ts'

/** What the server said last. Refusals are final; only a lost connection is worth another try. */
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

/** No session any more: the guard of the console then leads to the sign-in page. */
export const clearSession = () => {
  localStorage.removeItem('user')
  queryClient.setQueryData(selfKey, null)
}

/** The signed-in user, or null: having no session is an answer here, not an error. */
export const makeSessionQuery = <U>(load: (input: undefined, signal: AbortSignal) => Promise<U>) =>
  queryOptions({
    queryKey: selfKey,
    queryFn: ({ signal }): Promise<U | null> =>
      load(undefined, signal).catch((error: unknown) => {
        if (isApiError(error) && error.status === 401) return null
        throw error
      }),
  })
