import type { App } from '../../core/app.ts'
import { nowSeconds } from '../../core/app.ts'
import * as callbacks from '../../db/queries/task-callbacks.ts'
import type { TaskRow } from '../../db/queries/tasks.ts'
import { failpoint } from '../../lib/failpoint.ts'
import { postGuarded } from '../../lib/http/post-guarded.ts'
import { fetchRules } from '../../relay/upstream/linked-files.ts'
import { callbackBodies } from '../formats/index.ts'
import { openCallback } from '../submit/callback-address.ts'
import { callbackSecret, signedHeaders } from './sign.ts'

const leasedMax = 64
/** Longer than one try may last. */
const leaseSeconds = 60
const timeoutMs = 10_000
/** A receiver needs no more words than these to say that it has the message. */
const answerMax = 1024 * 1024
/** The time from each failed try to the next; the last try is the eighth. */
const delaysSeconds = [5, 60, 300, 1_800, 7_200, 18_000, 36_000]
const failureMax = 200

/** Calls the addresses that callers named, once their tasks have ended. It shares nothing with the polls but the database. */
export const sendCallbacks = async (app: App): Promise<void> => {
  while (!app.stopping()) {
    const now = nowSeconds(app)
    if (!(await callbacks.isDue(app.db, now))) return
    const criteria = { now, leaseEnds: now + leaseSeconds, limit: leasedMax }
    const rows = await callbacks.lease(app.db, criteria)
    await Promise.all(rows.map(row => sendCallback(app, row)))
  }
}

const sendCallback = async (app: App, row: TaskRow): Promise<void> => {
  const failure = await failureOf(app, row)
  failpoint('task callback sent')
  if (failure === undefined) return callbacks.end(app.db, row, { state: 'delivered', failure: '' })
  const delay = delaysSeconds[(row.callback_attempts ?? 1) - 1]
  if (delay !== undefined)
    return callbacks.putBack(app.db, row, { runAt: nowSeconds(app) + delay, failure })
  app.log.warn({ task: row.id, failure }, 'a callback was given up')
  await callbacks.end(app.db, row, { state: 'given_up', failure })
}

/** Undefined: the receiver answered with 2xx. */
const failureOf = async (app: App, row: TaskRow): Promise<string | undefined> => {
  try {
    const { url, origin } = openCallback(app, row.id, row.callback_sealed!)
    const body = JSON.stringify(callbackBodies[row.platform]!(app, origin, row))
    const version = await callbacks.findSecretVersion(app.db, row.user_id)
    // The id is one for all tries at one end of a task, so that a receiver can drop repetitions.
    const message = { id: `${row.public_id}-${row.state}`, seconds: nowSeconds(app), body }
    const secret = callbackSecret(app, row.user_id, version)
    const headers = { 'content-type': 'application/json', ...signedHeaders(secret, message) }
    const limits = { rules: fetchRules(app), timeoutMs, bytesMax: answerMax }
    const answer = await postGuarded({ url, headers, body }, limits)
    if (!answer.ok) return answer.reason
    return answer.status >= 200 && answer.status < 300 ? undefined : `status ${answer.status}`
  } catch (error) {
    app.log.warn({ err: error, task: row.id }, 'a callback could not be sent')
    return String((error as Error).message).slice(0, failureMax)
  }
}
