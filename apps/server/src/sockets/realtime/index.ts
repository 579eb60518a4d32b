import { Fault } from '@hub/contract'
import { openaiRealtime } from '@hub/dialects'
import type { App } from '../../core/app.ts'
import type { AuthenticatedContext, RunCall } from '../../relay/context.ts'
import { checkModelAllowed } from '../../relay/limits/admit.ts'
import { channelsFor } from '../../relay/routing/channel-index.ts'
import type { PreparedSession, SocketOperation } from '../accept.ts'
import { ageMaxMs, openRealtime, type RealtimeParts } from './open.ts'

export { liveOverSocket } from './live.ts'

/** Realtime sessions: the messages of a caller and of one channel, with a charge for each response. */
export const realtimeOverSocket = ({ runner }: RealtimeParts): SocketOperation => ({
  ageMaxMs,
  expired: new Fault('socket.expired'),
  prepare: (app, context) => prepare(app, context, runner(app)),
})

/** The upgrade is accepted once a channel has accepted. */
const prepare = async (
  app: App,
  context: AuthenticatedContext,
  run: RunCall,
): Promise<PreparedSession> => {
  const model = new URLSearchParams(context.query).get('model') ?? ''
  if (model === '')
    throw new Fault('request.invalid', { hint: "The address needs '?model=' and a model." })
  checkModelAllowed(context.token, model)
  const target = await channelsFor(app, context, model)
  const { opened } = openRealtime(app, {
    ...{ run, request: context.request, model, target, start: { format: openaiRealtime } },
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
