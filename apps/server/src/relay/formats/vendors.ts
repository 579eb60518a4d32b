import { imageTools, openaiChat, openaiImages, withDefaultModelOf } from '@hub/dialects'
import { providers } from '@hub/providers'
import { type RelayRoute, unknown } from './route.ts'

/** Addresses of the vendors' own APIs. */
const toolRoutes = providers
  .flatMap(each => each.routes)
  .map(
    ({ path, operation, model }): RelayRoute => ({
      ...{ method: 'POST', path, operation },
      ...(operation === 'images'
        ? { dialect: withDefaultModelOf(openaiImages, model) }
        : { dialect: imageTools, pathParams: () => ({ model, stream: false }) }),
    }),
  )

export const vendorRoutes: readonly RelayRoute[] = [
  ...toolRoutes,
  ...unknown('/recraftAI/*', openaiChat),
]
