import type { App } from '../core/app.ts'
import { timers } from '../core/timers.ts'
import type { CallContext } from './context.ts'
import { beginStream, writeChunks } from './response/write.ts'

/**
 * Pings the caller of a stream while no channel has answered, because proxies cut connections that are silent for a
 * minute. The head is sent with the first ping. Another channel may still be tried; a later fault is an error event.
 */
export const withEarlyPings = async (
  app: App,
  context: CallContext,
  work: () => Promise<void>,
): Promise<void> => {
  const { dialect, parsed } = context
  const milliseconds = app.settings().relay.PingSeconds * 1_000
  // The caller of a background response must not see a byte before its hold is detached.
  const isPinged = parsed.stream && !parsed.state?.background && milliseconds > 0
  if (!isPinged || dialect.ping === '') return work()
  const ping = Buffer.from(dialect.pingBeforeFirstEvent ?? dialect.ping)
  const timer = timers(app).start(milliseconds, () => {
    if (context.firstByteAt !== undefined || context.aborted !== undefined) return
    beginStream(context)
    writeChunks(context, [ping])
    timers(app).refresh(timer, milliseconds)
  })
  context.sendsEarlyPings = true
  try {
    await work()
  } finally {
    timers(app).stop(timer)
  }
}
