import Box from '@mui/material/Box'
import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense, useEffect } from 'react'
import { Navigate, Outlet, useLocation } from 'react-router'
import { isAdmin, isRoot, useSession } from '../../api'
import { registerOpenPage, useEndedSession, useNeededProof } from '../../api/session.ts'
import { sessionQuery } from '../../api/site.ts'
import { ErrorState, RootNeeded } from '../../ui'
import { Loading } from '../loading.tsx'

const SignInAgain = lazy(async () => ({
  default: (await import('./sign-in-again.tsx')).SignInAgain,
}))

const ProofDialog = lazy(async () => ({
  default: (await import('./proof-dialog.tsx')).ProofDialog,
}))

/** Progress, or the reason why the session cannot be loaded; the query tries again by itself. */
const SessionPending = () => {
  const { error, refetch } = useQuery(sessionQuery)
  if (!error) return <Loading />
  return (
    <Box component="main" id="main" sx={{ maxWidth: 560, mx: 'auto', my: 10, px: 2 }}>
      <ErrorState error={error} retry={() => void refetch()} />
    </Box>
  )
}

/** Leaves the page of one user for another's. Nothing of the first one may stay in memory. */
const Restart = () => {
  useEffect(() => location.replace('/panel'), [])
  return <Loading />
}

/** Redirects visitors to the sign-in page. When a session ends, its page stays open under a sign-in dialog. */
export const SignedInOnly = () => {
  const user = useSession()
  const ended = useEndedSession()
  const needsProof = useNeededProof()
  const { pathname, search } = useLocation()
  useEffect(registerOpenPage, [])
  if (user === undefined) return <SessionPending />
  if (ended?.isReplaced) return <Restart />
  if (!user) return <Navigate to="/login" replace state={{ returnTo: pathname + search }} />
  return (
    <>
      <Outlet />
      {ended && (
        <Suspense>
          <SignInAgain username={ended.user.username} />
        </Suspense>
      )}
      {needsProof && !ended && (
        <Suspense>
          <ProofDialog />
        </Suspense>
      )}
    </>
  )
}

/** Redirects users who are signed in to the page they requested before. */
export const VisitorOnly = () => {
  const user = useSession()
  const state: unknown = useLocation().state
  if (user === undefined) return <SessionPending />
  return user ? <Navigate to={returnPath(state)} replace /> : <Outlet />
}

/** Accepts only paths of the console, so that a forged state cannot redirect elsewhere. */
export const returnPath = (state: unknown): string => {
  const path = (state as { returnTo?: unknown } | null)?.returnTo
  return typeof path === 'string' && /^\/(panel|playground)(\/|\?|$)/.test(path) ? path : '/panel'
}

export const AdminOnly = () =>
  isAdmin(useSession()) ? <Outlet /> : <Navigate to="/panel/404" replace />

/** The menu shows administrators some of these pages, so the page says which role it needs. */
export const RootOnly = () => (isRoot(useSession()) ? <Outlet /> : <RootNeeded />)
