import type { OwnUser } from '@hub/contract'
import { QueryClient, queryOptions, skipToken, useQuery } from '@tanstack/react-query'
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

const selfKey = ['profile', 'session']
const endedKey = ['ended-session']
const neededProofKey = ['needed-proof']

/** A session that ended while a page was open. The page keeps showing its user until somebody signs in or gives up. */
type EndedSession = { user: OwnUser; isReplaced: boolean }

const state = {
  /** Counts the sign-ins of this page, so that a late 401 of an earlier session is recognised. */
  sessionNumber: 0,
  openPages: 0,
  isSigningOut: false,
  decision: undefined as PromiseWithResolvers<boolean> | undefined,
  proof: undefined as PromiseWithResolvers<boolean> | undefined,
}

export const sessionNumber = () => state.sessionNumber

/** Marks the user as signed out in this browser, without calling the server. The route guard then shows the sign-in page. */
export const clearSession = () => {
  localStorage.removeItem('user')
  queryClient.setQueryData(selfKey, null)
}

/**
 * Clears the user after a 401. While a page of this user is open, it asks for a new sign-in and waits.
 * Returns true when the same user signed in again, so that the refused request may be sent once more.
 */
export const handleEndedSession = async (numberAtSend: number): Promise<boolean> => {
  if (numberAtSend !== state.sessionNumber) return true
  const user = queryClient.getQueryData<OwnUser>(selfKey)
  clearSession()
  if (user && state.openPages > 0 && !state.isSigningOut) {
    state.decision ??= Promise.withResolvers<boolean>()
    queryClient.setQueryData<EndedSession>(endedKey, { user, isReplaced: false })
  }
  return state.decision?.promise ?? false
}

/** Stores the user after a sign-in. Requests that wait for it are sent again, unless it is another user. */
export const startSession = (user: OwnUser): void => {
  const ended = queryClient.getQueryData<EndedSession>(endedKey)
  const { id, username, role, avatar_url } = user
  localStorage.setItem('user', JSON.stringify({ id, username, role, avatar_url }))
  if (ended && ended.user.id !== id) {
    queryClient.setQueryData<EndedSession>(endedKey, { ...ended, isReplaced: true })
    return
  }
  state.sessionNumber += 1
  queryClient.setQueryData(selfKey, user)
  settle(true)
}

/** Gives up an ended session: waiting requests fail, and the route guard shows the sign-in page. */
export const abandonSession = (): void => settle(false)

const settle = (isResumed: boolean) => {
  queryClient.setQueryData(endedKey, null)
  state.decision?.resolve(isResumed)
  state.decision = undefined
}

/** Runs a sign-out, during which a 401 does not ask for a new sign-in. */
export const signOutWith = async (signOut: () => Promise<void>): Promise<void> => {
  state.isSigningOut = true
  try {
    await signOut()
  } finally {
    state.isSigningOut = false
    clearSession()
  }
}

/**
 * Asks the user of an open page for a fresh proof, once for all requests that wait for it. Returns true when the user gave
 * it, so that the refused request may be sent once more.
 */
export const handleNeededProof = async (): Promise<boolean> => {
  if (state.openPages === 0) return false
  state.proof ??= Promise.withResolvers<boolean>()
  queryClient.setQueryData(neededProofKey, true)
  return state.proof.promise
}

/** Closes the question for a proof. Waiting requests are sent again, or fail where the user gave none. */
export const endNeededProof = (isProved: boolean): void => {
  queryClient.setQueryData(neededProofKey, false)
  state.proof?.resolve(isProved)
  state.proof = undefined
}

export const useNeededProof = (): boolean =>
  useQuery<boolean>({ queryKey: neededProofKey, queryFn: skipToken }).data === true

/** Registers an open page of a signed-in user; returns the function that ends the registration. */
export const registerOpenPage = (): (() => void) => {
  state.openPages += 1
  return () => {
    state.openPages -= 1
    if (state.openPages > 0) return
    if (state.decision) abandonSession()
    if (state.proof) endNeededProof(false)
  }
}

export const useEndedSession = (): EndedSession | null | undefined =>
  useQuery<EndedSession | null>({ queryKey: endedKey, queryFn: skipToken }).data

/** Query options of the signed-in user, null for visitors. */
export const makeSessionQuery = (load: () => Promise<OwnUser | null | undefined>) =>
  queryOptions({
    queryKey: selfKey,
    queryFn: async (): Promise<OwnUser | null> => {
      const number = sessionNumber()
      const user = await load()
      if (user) return user
      return (await handleEndedSession(number)) ? ((await load()) ?? null) : null
    },
    // While the server is away, each try waits longer than the last, up to half a minute.
    refetchInterval: ({ state }) =>
      state.status === 'error' ? Math.min(30_000, 1000 * 2 ** state.errorUpdateCount) : false,
  })
