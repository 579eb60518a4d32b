import type { NotificationEvent } from '@hub/contract'
import type { Database } from '../../db/index.ts'
import * as notifications from '../../db/queries/notifications.ts'
import { type App, nowSeconds } from '../app.ts'

/** Events that may come by the hundred: one message per key and window, with their number. */
const windows: Partial<Record<NotificationEvent, number>> = {
  'channel.status': 600,
  'channel.funds': 3_600,
  'task.failed': 600,
}

export const windowSecondsOf = (event: string): number => windows[event as NotificationEvent] ?? 0

type Emitted = notifications.EmittedEvent & { event: Exclude<NotificationEvent, 'test'> }

/** Queues an event in the caller's transaction, for every target that wants it. Usually there is none. */
export const emit = (app: Pick<App, 'now'>, tx: Database, emitted: Emitted): Promise<void> =>
  notifications.emit(tx, emitted, {
    now: nowSeconds(app),
    windowSeconds: windowSecondsOf(emitted.event),
  })
