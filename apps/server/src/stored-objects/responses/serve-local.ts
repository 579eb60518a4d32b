import { Fault } from '@hub/contract'
import { isFinished, listItems } from '@hub/dialects'
import type { App } from '../../core/app.ts'
import * as localResponses from '../../db/queries/local-responses.ts'
import * as vendorResponses from '../../db/queries/vendor-responses.ts'
import type { AuthenticatedContext } from '../../relay/context.ts'
import { openContent, type StoredContent } from '../../relay/local-responses/content.ts'
import { listedInput, readConversation } from '../../relay/local-responses/conversation.ts'
import { reserveBytes } from '../../relay/request/body.ts'
import { writeResponse } from '../../relay/response/write.ts'
import { cancelResponse, currentResponse } from './running-state.ts'

/** Answers its owner's request for a locally stored response. */
export const serveLocalResponse = async (
  app: App,
  context: AuthenticatedContext,
  owned: vendorResponses.ResponseOwner,
): Promise<void> => {
  const body = Buffer.from(JSON.stringify(await answerTo(app, context, owned)))
  writeResponse(context, 200, ['content-type', 'application/json'], body)
}

const answerTo = async (
  app: App,
  context: AuthenticatedContext,
  owned: vendorResponses.ResponseOwner,
): Promise<unknown> => {
  const { id } = owned
  const query = new URLSearchParams(context.query)
  switch (context.operation) {
    case 'answer':
      if (query.get('stream') === 'true')
        throw refused('It is stored whole, and cannot be streamed.')
      return currentResponse(app, owned, await readResponse(app, context, owned))
    case 'answer-cancel':
      return cancelResponse(app, owned, await readContent(app, context, owned))
    case 'answer-delete':
      await refuseWhileRunning(app, context, owned)
      await vendorResponses.remove(app.callDb, id)
      return { id, object: 'response', deleted: true }
    case 'answer-input': {
      const turns = await readConversation(app, context.caller.userId, id, bytes =>
        reserveBytes(app, context.body, bytes),
      )
      return listItems(listedInput(turns), pageOf(query))
    }
    default:
      throw new Fault('operation.unsupported', { detail: context.operation })
  }
}

const refused = (hint: string) => new Fault('request.invalid', { hint })

/** A response without its end would be charged and nowhere to be found. */
const refuseWhileRunning = async (
  app: App,
  context: AuthenticatedContext,
  owned: vendorResponses.ResponseOwner,
): Promise<void> => {
  if (owned.is_running === null) return
  const response = await currentResponse(app, owned, await readResponse(app, context, owned))
  if (!isFinished(response))
    throw new Fault('response.running', { hint: 'Cancel it, or wait until it has ended.' })
}

const readResponse = async (
  app: App,
  context: AuthenticatedContext,
  owned: vendorResponses.ResponseOwner,
) => (await readContent(app, context, owned)).response

const readContent = async (
  app: App,
  context: AuthenticatedContext,
  { id }: vendorResponses.ResponseOwner,
): Promise<StoredContent> => {
  const contents = await localResponses.findContents(app.callDb, context.caller.userId, [id])
  const sealed = contents.get(id)
  if (sealed === undefined) throw new Fault('response.unknown')
  reserveBytes(app, context.body, sealed.length)
  return openContent(app, id, sealed)
}

const limitMax = 100
const limitDefault = 20

/** https://platform.openai.com/docs/api-reference/responses/input-items */
export const pageOf = (query: URLSearchParams) => {
  const limit = Number(query.get('limit') ?? limitDefault)
  if (!Number.isInteger(limit) || limit < 1 || limit > limitMax)
    throw refused(`'limit' must be a whole number from 1 to ${limitMax}.`)
  const order = query.get('order') ?? 'desc'
  if (order !== 'asc' && order !== 'desc') throw refused("'order' must be asc or desc.")
  const after = query.get('after') ?? undefined
  return { limit, order, after, before: query.get('before') ?? undefined } as const
}
