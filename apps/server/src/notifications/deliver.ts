import { Fault } from '@hub/contract'
import { type App, nowSeconds } from '../core/app.ts'
import { reportFailure, reportSuccess } from '../core/health/services.ts'
import { windowSecondsOf } from '../core/notifications/emit.ts'
import * as targets from '../db/queries/notification-targets.ts'
import * as rows from '../db/queries/notifications.ts'
import { failpoint } from '../lib/failpoint.ts'
import { notifierOf, openConfig } from './config.ts'
import { networkOf } from './network.ts'
import { renderMessage } from './render.ts'
import { heldUntil, urgentEvents } from './schedule.ts'

/** When the lease ends, another node may send, so an attempt must end before. An e-mail takes 20 s at most. */
const leaseSeconds = 40
const attemptsMax = 12
const firstWaitSeconds = 5
const waitSecondsMax = 3600
/** After a failure a target gets a pause, so that not each of its messages tries it. This is the longest one. */
const pauseSecondsMax = 60
/** A service may name a longer pause than the queue would take by itself, but no longer one than this. */
const namedSecondsMax = 86_400
const digestMax = 50
const senders = 4

/** Sends messages until none is due. A slow or broken target delays only its own messages. */
export const deliverDue = async (app: App): Promise<void> => {
  const work = async () => {
    while (!app.stopping() && (await deliverNext(app)));
  }
  await Promise.all(Array.from({ length: senders }, work))
}

/** Sends the next message of one target or of any. Returns false if none is due. */
export const deliverNext = async (app: App, targetId?: number): Promise<boolean> => {
  const due = await rows.findDue(app.db, nowSeconds(app), app.now(), targetId)
  if (!due) return false
  const now = nowSeconds(app)
  const zone = app.settings().site.TimeZone
  const later = due.batch === null ? heldUntil(due, due.event, due.due_at, now, zone) : now
  if (later > now) {
    await rows.postpone(app.db, due.row_id, later)
    return true
  }
  const lease = await leaseMessage(app, due)
  if (lease) await sendLeased(app, due, lease)
  return true
}

type Lease = { batch: rows.NotificationRow[]; untilMs: number }

/** Returns undefined if another node was faster. */
const leaseMessage = (app: App, due: rows.DueNotification): Promise<Lease | undefined> =>
  app.db.transaction().execute(async tx => {
    const now = nowSeconds(app)
    const untilMs = app.now() + leaseSeconds * 1000
    // One sender per target keeps its rate and the order of its messages.
    if (!(await targets.reserve(tx, due.id, app.now(), untilMs))) return undefined
    const isCollected = due.digest !== 'none' && !urgentEvents.some(each => each === due.event)
    const others = isCollected ? { now, except: urgentEvents, most: digestMax } : undefined
    if (due.batch === null) await rows.startBatch(tx, due, others)
    const batch = await rows.leaseBatch(tx, due.batch ?? due.row_id, now + leaseSeconds)
    return { batch, untilMs }
  })

const sendLeased = async (
  app: App,
  target: rows.DueNotification,
  { batch, untilMs }: Lease,
): Promise<void> => {
  const notifier = notifierOf(target.type)
  const startedMs = app.now()
  // Users see the failures of their own targets in their profile.
  const isOfSite = target.user_id === targets.administrators
  let pauseMs = 0
  try {
    // Another node has sent it since it was found.
    if (batch.length === 0) return
    failpoint('notification leased')
    const message = renderMessage(app, target, batch)
    await notifier.send(openConfig(app, target), message, networkOf(app, target.user_id))
    failpoint('notification sent')
    await endSent(app, batch)
    if (isOfSite) await reportSuccess(app, { service: 'notifier', id: target.id })
    app.metrics.jobRuns.inc({ job: 'notification', outcome: 'ok' })
  } catch (error) {
    pauseMs = await endFailed(app, target, batch, error)
    const failing = { service: 'notifier', id: target.id, name: target.name } as const
    if (isOfSite) await reportFailure(app, failing, error)
    app.metrics.jobRuns.inc({ job: 'notification', outcome: 'failed' })
  } finally {
    const nextMs = Math.max(startedMs + notifier.spacingMs, app.now() + pauseMs)
    await targets.release(app.db, target.id, untilMs, nextMs)
  }
}

const endSent = (app: App, batch: readonly rows.NotificationRow[]): Promise<void> =>
  app.db.transaction().execute(async tx => {
    const now = nowSeconds(app)
    await rows.end(tx, batch, { state: 'sent', failure: '', ended_at: now })
    for (const row of batch) {
      const windowSeconds = windowSecondsOf(row.event)
      if (windowSeconds > 0) await rows.spaceLater(tx, row, now + windowSeconds)
    }
  })

/** Returns for how long the target is left alone, in milliseconds. */
const endFailed = async (
  app: App,
  { id, type }: rows.DueNotification,
  batch: readonly rows.NotificationRow[],
  error: unknown,
): Promise<number> => {
  const { attempts } = batch[0]!
  const isFault = error instanceof Fault
  // The text of an unexpected error may contain an address with a secret.
  const text = isFault ? error.message : 'The gateway failed.'
  const failure = text.replaceAll('`', '').slice(0, 500)
  if (!isFault) app.log.error({ err: error, target: id, type }, 'a notifier failed')
  const now = nowSeconds(app)
  const isFinal = isFault && error.code === 'notification.refused'
  if (isFinal || attempts >= attemptsMax) {
    app.log.warn({ target: id, type, failure, attempts }, 'a notification was given up')
    await rows.end(app.db, batch, { state: 'failed', failure, ended_at: now })
    return 0
  }
  const named = isFault ? namedPauseOf(error) : undefined
  const backoff = Math.min(waitSecondsMax, firstWaitSeconds * 2 ** (attempts - 1))
  await rows.retryAt(app.db, batch, now + Math.max(backoff, named ?? 0), failure)
  return (named ?? Math.min(pauseSecondsMax, backoff)) * 1000
}

const namedPauseOf = ({ retryAfterSeconds }: Fault): number | undefined =>
  retryAfterSeconds === undefined ? undefined : Math.min(namedSecondsMax, retryAfterSeconds)
