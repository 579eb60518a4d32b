import { Fault } from '@hub/contract'
import type { App } from '../core/app.ts'
import { appScoped } from '../core/app-scoped.ts'
import { makeSwapRemoveList } from '../lib/swap-remove-list.ts'
import { identify } from '../relay/auth/identify.ts'
import { waitUntil } from '../relay/limits/live-calls.ts'
import { channelIndex } from '../relay/routing/channel-index.ts'
import { closeCodes, type SocketSession } from './session.ts'

/** The open WebSockets of callers. Each is closed as soon as its token or its channel may not be used any more. */
export const socketSessions = appScoped(app => {
  const sessions = makeSwapRemoveList<SocketSession>(each => each)
  const recheck = async () => {
    for (const session of sessions.toArray()) await closeIfRefused(app, session)
  }
  // The cache of tokens has dropped the changed ones already: its listener was registered before.
  app.changes.on('tokens', recheck)
  app.changes.on('channels', () => closeWithoutChannel(app, sessions.toArray()))
  return sessions
})

/** Checks the session's token again. */
export const closeIfRefused = async (app: App, session: SocketSession): Promise<void> => {
  try {
    await identify(app, session.caller)
  } catch (error) {
    if (!(error instanceof Fault)) throw error
    session.close(error, closeCodes.policy)
  }
}

const closeWithoutChannel = async (app: App, sessions: readonly SocketSession[]): Promise<void> => {
  const { byId } = await channelIndex(app).get()
  for (const session of sessions) {
    const id = session.channelId()
    if (id !== undefined && !byId.has(id))
      session.close(new Fault('channel.none', { retryAfterSeconds: 1 }), closeCodes.failed)
  }
}

/** Ends every session: an idle one now, any other after its running responses. */
export const retireSessions = (app: App): void => {
  for (const session of socketSessions(app).toArray())
    session.retire(new Fault('server.stopping', { retryAfterSeconds: 1 }), closeCodes.goingAway)
}

/** Waits until no session is open, or until the deadline (monotonic milliseconds). */
export const waitForSessions = (app: App, deadline: number): Promise<void> =>
  waitUntil(app, () => socketSessions(app).size() === 0, deadline)

/** Disconnects callers who do not answer the end of their session. */
export const terminateSessions = (app: App): void => {
  for (const session of socketSessions(app).toArray()) session.terminate()
}

export const addSocketGauge = (app: App): void =>
  app.metrics.addGauge({
    name: 'hub_socket_sessions',
    help: 'Open WebSockets of callers',
    read: () => socketSessions(app).size(),
  })
