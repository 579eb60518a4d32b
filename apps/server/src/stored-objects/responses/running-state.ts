import { Fault } from '@hub/contract'
import { endedResponse, isFinished, type ResponseObject } from '@hub/dialects'
import type { App } from '../../core/app.ts'
import { idsPerEpoch } from '../../db/operations.ts'
import * as ledgerRows from '../../db/queries/ledger.ts'
import * as localResponses from '../../db/queries/local-responses.ts'
import * as nodes from '../../db/queries/nodes.ts'
import type { ResponseOwner } from '../../db/queries/vendor-responses.ts'
import {
  encodeContent,
  type StoredContent,
  sealContent,
} from '../../relay/local-responses/content.ts'
import { runningResponses } from '../../relay/local-responses/running-responses.ts'

/**
 * The response as its owner may see it. An answer shows once it is charged. A response whose node has died has failed:
 * no other node makes it again, because its vendor may have been paid already.
 */
export const currentResponse = async (
  app: App,
  { id, is_running, request_id }: ResponseOwner,
  response: ResponseObject,
): Promise<ResponseObject> => {
  if (is_running === null) return response
  if (isFinished(response) && (await ledgerRows.isSettled(app.callDb, request_id))) {
    // The node died between the charge and this mark.
    await localResponses.endRunning(app.callDb, id)
    return response
  }
  if (await nodes.isLive(app.callDb, Math.floor(request_id / idsPerEpoch)))
    return { ...response, status: 'in_progress', output: [], usage: null, incomplete_details: null }
  const message = 'The server that made this response has ended. Send the request again.'
  return endedResponse(response, { status: 'failed', error: { code: 'server_error', message } })
}

/** Cancels a response that is made in the background. One that has ended is answered as it is. */
export const cancelResponse = async (
  app: App,
  owned: ResponseOwner,
  { input, response }: StoredContent,
): Promise<ResponseObject> => {
  if (response.background !== true)
    throw new Fault('request.invalid', {
      hint: 'Only a background response can be cancelled, and this one is not.',
    })
  const current = await currentResponse(app, owned, response)
  // One whose answer is being charged has ended, although its caller cannot see it yet.
  if (isFinished(current) || isFinished(response)) return current
  const cancelled = endedResponse(response, { status: 'cancelled' })
  const content = sealContent(app, owned.id, encodeContent({ input, response: cancelled }))
  if (await localResponses.endRunning(app.callDb, owned.id, content))
    runningResponses(app).cancel(owned.id)
  return cancelled
}
