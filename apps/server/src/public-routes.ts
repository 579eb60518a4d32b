import type { Route } from './relay/formats/route.ts'
import { relayRoutes, withUnknown } from './relay/routes.ts'
import { directSessions } from './sockets/formats/direct-sessions.ts'
import { storedRoutes } from './stored-objects/formats/index.ts'
import { taskRoutes } from './tasks/formats/index.ts'

/** Every public AI route. Those that share an address stand in the order in which they match. */
export const publicRoutes: readonly Route[] = withUnknown([
  ...relayRoutes,
  ...storedRoutes,
  ...taskRoutes,
  ...directSessions,
])
