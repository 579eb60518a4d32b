import { inputItems, type ResponseItem, type ResponseObject, readClosing } from '@hub/dialects'
import type { App } from '../../core/app.ts'
import type { Call } from '../../core/call.ts'
import * as kept from '../../db/queries/kept.ts'
import * as stored from '../../db/queries/stored.ts'
import { failpoint } from '../../lib/failpoint.ts'
import type { Task } from '../attempt.ts'
import { timers } from '../clock.ts'
import { contentLeast, contentMax, sealContent, userBytesMax } from './content.ts'
import type { OwnAnswer } from './own-answer.ts'

/** The end of the answer as the caller may see it, and what the log row is to say. */
export type Kept = { last: Buffer; notes: readonly string[] }

/** Keeps an answer, given its last bytes. Durable when it resolves; it never rejects. */
export type Keep = (last: Buffer) => Promise<Kept>

/** A charge waits no longer for it. */
const waitMaxMs = 5_000

type Keeping = {
  call: Call
  own: OwnAnswer
  isStream: boolean
  input: () => readonly ResponseItem[]
}

/**
 * What is wrong with keeping an answer is no reason to take it from its caller, nor to charge anything else: then it says
 * `store: false`, and the log row says why.
 */
export const keepingOf = (
  app: App,
  { call, ask, place }: Pick<Task, 'call' | 'ask' | 'place'>,
  own: OwnAnswer,
): Keep => {
  const input = () => place.goesOn?.input ?? inputItems(ask) ?? []
  const keeping = { call, own, isStream: ask.stream, input }
  return async last => {
    const closing = readClosing(last, ask.stream)
    if (!closing) return { last, notes: own.store ? noted('unreadable') : [] }
    const { response } = closing
    Object.assign(response, { previous_response_id: own.previous ?? null, store: own.store })
    const why = own.store ? await tryToKeep(app, keeping, response) : undefined
    if (why !== undefined) response.store = false
    return { last: closing.write(), notes: why === undefined ? [] : noted(why) }
  }
}

const noted = (why: string) => [`gateway: store (${why})`]

/** Undefined: it is kept. */
const tryToKeep = async (
  app: App,
  keeping: Keeping,
  response: ResponseObject,
): Promise<string | undefined> => {
  if (response.status !== 'completed' && response.status !== 'incomplete') return 'no answer'
  const text = JSON.stringify({ input: keeping.input(), response })
  const size = Buffer.byteLength(text)
  if (size > contentMax) return 'too large'
  try {
    const isWritten = await inTime(app, keeping, write(app, keeping, text, size))
    failpoint('response kept')
    return isWritten ? undefined : 'not in time'
  } catch (error) {
    app.log.warn({ err: error, request: keeping.call.id }, 'an answer is not kept')
    return 'not written'
  }
}

const write = (app: App, { call, own }: Keeping, text: string, size: number): Promise<void> => {
  const { userId } = call.caller
  const answer = {
    id: own.id,
    user_id: userId,
    request_id: call.id,
    created_at: Math.floor(app.now() / 1_000),
    size: Math.max(size, contentLeast),
    previous: own.previous ?? null,
    content_sealed: sealContent(app, own.id, text),
  }
  return app.db.transaction().execute(async tx => {
    await kept.add(tx, answer)
    await kept.makeRoom(tx, userId, userBytesMax)
  })
}

/** Its caller will have been told that it is not kept: what is written later is taken back. */
const inTime = (app: App, { call, own }: Keeping, writing: Promise<void>): Promise<boolean> =>
  new Promise((resolve, reject) => {
    const wheel = timers(app)
    let isLate = false
    const limit = wheel.start(waitMaxMs, () => {
      isLate = true
      resolve(false)
    })
    const done = async () => {
      wheel.stop(limit)
      if (isLate) await stored.remove(app.db, own.id)
      resolve(true)
    }
    writing.then(done).catch((error: unknown) => {
      wheel.stop(limit)
      if (isLate) app.log.warn({ err: error, request: call.id }, 'an answer was kept too late')
      reject(error)
    })
  })
