import type { Route } from '../../relay/formats/route.ts'
import { klingRoutes } from './kling/routes.ts'
import { midjourneyRoutes } from './midjourney/routes.ts'
import { sunoRoutes } from './suno/routes.ts'
import { videoRoutes } from './video/routes.ts'

/** Videos, music and images that vendors make as tasks. */
export const taskRoutes: readonly Route[] = [
  ...videoRoutes,
  ...klingRoutes,
  ...midjourneyRoutes,
  ...sunoRoutes,
]
