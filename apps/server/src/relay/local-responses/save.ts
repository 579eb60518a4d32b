import { Fault } from '@hub/contract'
import { type Closing, outputItems, type ResponseObject, readClosing } from '@hub/dialects'
import { type App, nowSeconds } from '../../core/app.ts'
import { timers } from '../../core/timers.ts'
import * as localResponses from '../../db/queries/local-responses.ts'
import * as vendorResponses from '../../db/queries/vendor-responses.ts'
import { failpoint } from '../../lib/failpoint.ts'
import type { CallContext } from '../context.ts'
import type { SavedResponse, SaveResponse } from '../response/delivery.ts'
import type { BackgroundResponse, LocalResponse } from '../translate/translation.ts'
import { contentMax, encodeContent, inputOf, sealContent, userBytesMax } from './content.ts'
import { appendTurn } from './stored-conversation.ts'

/** A charge waits no longer than this for the response to be stored. */
const waitMaxMs = 5_000

type Saving = { context: CallContext; local: LocalResponse }

/**
 * Stores a response durably before its end reaches the caller. A failure to store it neither withholds the answer nor
 * changes the charge: the answer then has `store: false`, and the log row says why.
 */
export const saveLocally =
  (app: App, context: CallContext, local: LocalResponse): SaveResponse =>
  async last => {
    const closing = readClosing(last, context.parsed.stream)
    const { background } = local
    if (!closing && background) throw new Fault('server.failed', { detail: 'unreadable' })
    if (!closing) return { last, warnings: local.store ? warningFor('unreadable') : [] }
    const { response } = closing
    Object.assign(response, { previous_response_id: local.previous ?? null, store: local.store })
    if (background) return saveRunning(app, context, background, closing)
    const warnings = await appendToConversation(app, context, local, response)
    const problem = local.store ? await trySave(app, { context, local }, response) : undefined
    if (problem !== undefined) response.store = false
    if (problem !== undefined) warnings.push(...warningFor(problem))
    return { last: closing.write(), warnings }
  }

/** Adds the turn to the conversation that the call named. One that could not be added has `conversation: null`. */
const appendToConversation = async (
  app: App,
  context: CallContext,
  { conversation }: LocalResponse,
  response: ResponseObject,
): Promise<string[]> => {
  if (conversation === undefined) return []
  const isAnswer = response.status === 'completed' || response.status === 'incomplete'
  const turn = [...inputOf(context), ...outputItems(response)]
  const problem = isAnswer ? await appendTurn(app, context, conversation, turn) : 'no answer'
  response.conversation = problem === undefined ? { id: conversation } : null
  return problem === undefined ? [] : [`gateway: conversation (${problem})`]
}

const warningFor = (problem: string) => [`gateway: store (${problem})`]

/**
 * Stores the answer of a response in the background, whose caller sees it once it is charged. A failure to store it
 * fails the call, and nothing is charged: nobody could read the answer.
 */
const saveRunning = async (
  app: App,
  context: CallContext,
  { id, createdAt }: BackgroundResponse,
  { response, write }: Closing,
): Promise<SavedResponse> => {
  Object.assign(response, { created_at: createdAt, background: true })
  const encoded = encodeContent({ input: inputOf(context), response })
  if (encoded.size > contentMax)
    throw new Fault('upstream.invalid_response', { detail: 'an answer too large to store' })
  const content = sealContent(app, id, encoded)
  const isSaved = await app.callDb.transaction().execute(async tx => {
    const isUpdated = await localResponses.updateRunning(tx, content)
    await localResponses.removeOldestBeyond(tx, context.caller.userId, userBytesMax)
    return isUpdated
  })
  failpoint('background saved')
  return { last: write(), warnings: isSaved ? [] : warningFor('cancelled') }
}

/** Resolves with the reason why the response could not be stored; undefined once it is. */
const trySave = async (
  app: App,
  saving: Saving,
  response: ResponseObject,
): Promise<string | undefined> => {
  if (response.status !== 'completed' && response.status !== 'incomplete') return 'no answer'
  const { context, local } = saving
  const encoded = encodeContent({ input: inputOf(context), response })
  if (encoded.size > contentMax) return 'too large'
  try {
    const writing = insertResponse(app, context, {
      ...sealContent(app, local.id, encoded),
      ...{ created_at: nowSeconds(app), previous: local.previous },
    })
    const isInTime = await withinLimit(app, saving, writing)
    failpoint('response kept')
    return isInTime ? undefined : 'not in time'
  } catch (error) {
    app.log.warn({ err: error, request: saving.context.id }, 'a response was not stored')
    return 'not written'
  }
}

type NewResponse = localResponses.SealedContent &
  Pick<localResponses.LocalResponseRow, 'created_at' | 'is_running'> & {
    previous: string | undefined
  }

/** Inserts a response of the call's user, whose oldest ones beyond the limit are deleted. */
export const insertResponse = (
  app: App,
  { id, caller: { userId } }: CallContext,
  { previous, ...response }: NewResponse,
): Promise<void> =>
  app.callDb.transaction().execute(async tx => {
    const row = { ...response, previous: previous ?? null, user_id: userId, request_id: id }
    await localResponses.add(tx, row)
    await localResponses.removeOldestBeyond(tx, userId, userBytesMax)
  })

/** Resolves with false after the limit. A row that is written later is removed, since the caller saw `store: false`. */
const withinLimit = (
  app: App,
  { context, local }: Saving,
  writing: Promise<void>,
): Promise<boolean> =>
  new Promise((resolve, reject) => {
    let isLate = false
    const timer = timers(app).start(waitMaxMs, () => {
      isLate = true
      resolve(false)
    })
    const onWritten = async () => {
      timers(app).stop(timer)
      if (isLate) await vendorResponses.remove(app.callDb, local.id)
      resolve(true)
    }
    writing.then(onWritten).catch((error: unknown) => {
      timers(app).stop(timer)
      if (isLate)
        app.log.warn({ err: error, request: context.id }, 'a late response was not removed')
      reject(error)
    })
  })
