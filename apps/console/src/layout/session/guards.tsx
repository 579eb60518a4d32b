import { Navigate, Outlet, useLocation } from 'react-router'
import { isAdmin, isRoot, useSession } from '../../api'
import { RootNeeded } from '../../ui'
import { Loading } from '../loading.tsx'

/** Redirects visitors to the sign-in page, which returns them to the requested page. */
export const SignedInOnly = () => {
  const user = useSession()
  const { pathname, search } = useLocation()
  if (user === undefined) return <Loading />
  if (user) return <Outlet />
  return <Navigate to="/login" replace state={{ returnTo: pathname + search }} />
}

/** Redirects users who are signed in to the page they requested before. */
export const VisitorOnly = () => {
  const user = useSession()
  const state: unknown = useLocation().state
  if (user === undefined) return <Loading />
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
