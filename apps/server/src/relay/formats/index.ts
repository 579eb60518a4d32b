import { directSessions } from '../../sockets/formats/routes.ts'
import { storedRoutes } from '../../stored-objects/formats/routes.ts'
import { taskRoutes } from '../../tasks/formats/routes.ts'
import { anthropicRoutes } from './anthropic.ts'
import { geminiRoutes } from './gemini.ts'
import { openaiRoutes } from './openai.ts'
import type { Route } from './route.ts'
import { vendorRoutes } from './vendors.ts'

/** At one address, formats that headers select stand before the format of all other clients. */
export const formatRoutes: readonly Route[] = [
  ...anthropicRoutes,
  ...geminiRoutes,
  ...openaiRoutes,
  ...storedRoutes,
  ...taskRoutes,
  ...directSessions,
  ...vendorRoutes,
]
