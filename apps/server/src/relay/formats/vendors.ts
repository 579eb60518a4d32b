import { imageTools, openaiChat, openaiImages, withDefaultModelOf } from '@hub/dialects'
import { providers } from '@hub/providers'
import { midjourneyFormat } from '../../tasks/formats/midjourney/format.ts'
import { type Route, unknown } from './route.ts'

/** Addresses of the vendors' own APIs. */
const toolRoutes = providers
  .flatMap(each => each.routes)
  .map(
    ({ path, operation, model }): Route => ({
      ...{ method: 'POST', path, operation },
      ...(operation === 'images'
        ? { dialect: withDefaultModelOf(openaiImages, model) }
        : { dialect: imageTools, pathParams: () => ({ model, stream: false }) }),
    }),
  )

export const vendorRoutes: readonly Route[] = [
  ...toolRoutes,
  ...['/mj/*', '/:mode/mj/*'].flatMap(path => unknown(path, midjourneyFormat)),
  // Paths by which clients of other gateways reach image, music and video services.
  ...['/suno/*', '/kling/*', '/recraftAI/*'].flatMap(path => unknown(path, openaiChat)),
]
