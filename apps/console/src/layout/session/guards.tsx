import { Navigate, Outlet, useLocation } from 'react-router'
import { isAdmin, isRoot, useSession } from '../../api'
import { Loading } from '../loading.tsx'

/** Nobody signed in: to the sign-in page, which leads back to where one wanted to go. */
export const SignedInOnly = () => {
  const user = useSession()
  const { pathname, search } = useLocation()
  if (user === undefined) return <Loading />
  if (user) return <Outlet />
  return <Navigate to="/login" replace state={{ wanted: pathname + search }} />
}

/** The sign-in page is for those who are not signed in; after signing in it leads on. */
export const VisitorOnly = () => {
  const user = useSession()
  const state: unknown = useLocation().state
  if (user === undefined) return <Loading />
  return user ? <Navigate to={wantedPath(state)} replace /> : <Outlet />
}

/** Only a path of our own console: a forged state leads nowhere else. */
export const wantedPath = (state: unknown): string => {
  const wanted = (state as { wanted?: unknown } | null)?.wanted
  return typeof wanted === 'string' && /^\/(panel|playground)(\/|\?|$)/.test(wanted)
    ? wanted
    : '/panel'
}

export const AdminOnly = () =>
  isAdmin(useSession()) ? <Outlet /> : <Navigate to="/panel/404" replace />

export const RootOnly = () =>
  isRoot(useSession()) ? <Outlet /> : <Navigate to="/panel/404" replace />
