import { openaiResponses } from '@hub/dialects'
import { appScoped } from '../../core/app-scoped.ts'
import { createRunner } from '../../relay/handler.ts'
import { chat } from '../../relay/operations/chat.ts'
import { createCallHandler } from '../../relay/run-call.ts'
import { type SocketRoute, socketRoute } from '../accept.ts'
import { responsesOverSocket } from '../responses/index.ts'

/** Each response of a connection is a call like one that was posted, in metrics and log rows too. */
const runner = appScoped(app =>
  createRunner(app, {
    ...{ method: 'POST', path: '/v1/responses', operation: 'chat', dialect: openaiResponses },
  }),
)

const operation = responsesOverSocket({ serve: createCallHandler(chat), runner })

/** https://developers.openai.com/api/docs/guides/websocket-mode */
export const responsesSockets: readonly SocketRoute[] = ['/v1/responses', '/responses'].map(path =>
  socketRoute(path, openaiResponses, operation),
)
