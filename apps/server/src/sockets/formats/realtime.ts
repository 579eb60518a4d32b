import { Fault } from '@hub/contract'
import { openaiChat, openaiRealtime } from '@hub/dialects'
import type { App } from '../../core/app.ts'
import { appScoped } from '../../core/app-scoped.ts'
import type { AuthenticatedContext } from '../../relay/context.ts'
import { createRunner } from '../../relay/handler.ts'
import { checkModelAllowed } from '../../relay/limits/admit.ts'
import { channelsFor } from '../../relay/routing/channel-index.ts'
import {
  type PreparedSession,
  type SocketOperation,
  type SocketRoute,
  socketRoute,
} from '../accept.ts'
import { ageMaxMs, openRealtime } from '../realtime/open.ts'

/** Each response of a session is a call of its own. */
const runner = appScoped(app =>
  createRunner(app, {
    ...{ method: 'GET', path: '/v1/realtime', operation: 'realtime', dialect: openaiChat },
  }),
)

/** The upgrade is accepted once a channel has accepted. */
const prepare = async (app: App, context: AuthenticatedContext): Promise<PreparedSession> => {
  const model = new URLSearchParams(context.query).get('model') ?? ''
  if (model === '')
    throw new Fault('request.invalid', { hint: "The address needs '?model=' and a model." })
  checkModelAllowed(context.token, model)
  const target = await channelsFor(app, context, model)
  const { opened } = openRealtime(app, {
    ...{
      run: runner(app),
      request: context.request,
      model,
      target,
      start: { format: openaiRealtime },
    },
    isReportedByUpgrade: true,
    onCall: call => {
      // The error of the upgrade lists the channels that did not answer.
      call.record.failedAttempts = context.record.failedAttempts ??= []
    },
  })
  const session = await opened
  context.upstream.provider = session.upstream.attempt.channel.provider.id
  return session
}

/** The messages of a caller and of one channel, with a charge for each response. */
const operation: SocketOperation = { ageMaxMs, expired: new Fault('socket.expired'), prepare }

/** https://developers.openai.com/api/docs/guides/realtime-websocket */
export const realtimeSockets: readonly SocketRoute[] = ['/v1/realtime', '/realtime'].map(path =>
  socketRoute(path, openaiChat, operation),
)
