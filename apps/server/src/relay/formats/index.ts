import { anthropicRoutes } from './anthropic.ts'
import { geminiRoutes } from './gemini.ts'
import { openaiRoutes } from './openai.ts'
import type { RelayRoute } from './route.ts'
import { vendorRoutes } from './vendors.ts'

/** At one address, formats that headers select stand before the format of all other clients. */
export const formatRoutes: readonly RelayRoute[] = [
  ...anthropicRoutes,
  ...geminiRoutes,
  ...openaiRoutes,
  ...vendorRoutes,
]
