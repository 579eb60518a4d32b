import type { App } from '../../core/app.ts'
import type { TaskRow } from '../../db/queries/tasks.ts'
import type { Route } from '../../relay/formats/route.ts'
import { presentKling } from './kling/present.ts'
import { klingRoutes } from './kling/routes.ts'
import { presentTask } from './midjourney/present.ts'
import { midjourneyRoutes } from './midjourney/routes.ts'
import { presentSuno } from './suno/present.ts'
import { sunoRoutes } from './suno/routes.ts'
import { presentEvent } from './video/present.ts'
import { videoRoutes } from './video/routes.ts'

/** Videos, music and images that vendors make as tasks. */
export const taskRoutes: readonly Route[] = [
  ...videoRoutes,
  ...klingRoutes,
  ...midjourneyRoutes,
  ...sunoRoutes,
]

type PresentBody = (app: App, origin: string, row: TaskRow) => unknown

/** The body of a callback: the task as the public interface shows it that it came by. */
export const callbackBodies: Readonly<Record<string, PresentBody>> = {
  video: presentEvent,
  kling: presentKling,
  suno: presentSuno,
  midjourney: presentTask,
}
