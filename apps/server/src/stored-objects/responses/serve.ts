import { Fault } from '@hub/contract'
import type { ParsedRequest } from '@hub/dialects'
import type { StoredResponseFeature } from '@hub/providers'
import type { App } from '../../core/app.ts'
import * as backgroundCalls from '../../db/queries/background-calls.ts'
import * as vendorResponses from '../../db/queries/vendor-responses.ts'
import { identify } from '../../relay/auth/identify.ts'
import { meteredIn, parseResponse, settleIfFinal } from '../../relay/background/background.ts'
import { pollCall, responseMax } from '../../relay/background/poll-background.ts'
import { endRead, noteRead } from '../../relay/background/read-output.ts'
import { itemIdsIn, recordItems } from '../../relay/background/record-items.ts'
import {
  type ResponseAccount,
  type StoredResponseRequest,
  storedResponseRequest,
} from '../../relay/background/request.ts'
import { settleStreamEnd } from '../../relay/background/settle-stream-end.ts'
import { type AuthenticatedContext, chatDialect, type RequestContext } from '../../relay/context.ts'
import { admit } from '../../relay/limits/admit.ts'
import { findOwnedResponse, isLocal, storingKeyOf } from '../../relay/references/owner.ts'
import { storingEndpoint } from '../../relay/references/storing-endpoint.ts'
import { writeStream } from '../../relay/response/stream-writer.ts'
import { writeResponse } from '../../relay/response/write.ts'
import { channelIndex } from '../../relay/routing/channel-index.ts'
import { classifyRefusal, readRefusal } from '../../relay/upstream/accounts/read-refusal.ts'
import { contentTypeOf, openAnswer, readSmall } from '../../relay/upstream/fetch-small.ts'
import type { Answer } from '../../relay/upstream/send.ts'
import { serveLocalResponse } from './serve-local.ts'

type StoredOperation = {
  method: StoredResponseRequest['method']
  pathSuffix: string
  feature: StoredResponseFeature
}

const operations: Readonly<Record<string, StoredOperation>> = {
  answer: { method: 'GET', pathSuffix: '', feature: 'answers' },
  'answer-delete': { method: 'DELETE', pathSuffix: '', feature: 'answers' },
  'answer-input': { method: 'GET', pathSuffix: '/input_items', feature: 'input' },
  'answer-cancel': { method: 'POST', pathSuffix: '/cancel', feature: 'background' },
}

/**
 * Reads, lists, cancels or deletes a stored response: for its owner only, at the account that stores it, free of charge.
 * An answer that shows the end of a background call is passed on after the call is charged.
 */
export const serveStoredResponse = async (app: App, request: RequestContext): Promise<void> => {
  // A body may come, and nothing of it is needed.
  request.request.resume()
  const context = await identify(app, request)
  await using _admission = await admit(app, context)
  await serve(app, context)
}

type Stored = { id: string; account: ResponseAccount; owned: vendorResponses.ResponseOwner }

const serve = async (app: App, context: AuthenticatedContext) => {
  const id = /\/responses\/([^/]+)/.exec(context.path)?.[1] ?? ''
  const owned = await findOwnedResponse(app, context.caller.userId, id)
  if (!owned) throw new Fault('response.unknown')
  if (isLocal(owned)) return serveLocalResponse(app, context, owned)
  const account = await accountOf(app, context, owned)
  context.upstream.provider = account.channel.provider.id
  if (context.operation === 'answer-delete') await refuseWhileRunning(app, id)
  await forward(app, context, { id, account, owned })
}

const accountOf = async (
  app: App,
  context: AuthenticatedContext,
  owned: vendorResponses.ResponseOwner,
): Promise<ResponseAccount> => {
  const { feature } = operations[context.operation]!
  const channel = (await channelIndex(app).get()).byId.get(owned.channel_id)
  const key = channel && storingKeyOf(channel, owned.credential)
  if (!channel || !key) throw new Fault('response.unavailable')
  const endpoint = storingEndpoint(app, channel, { dialect: chatDialect(context).id, feature })
  if (!endpoint)
    throw new Fault('operation.unsupported', { detail: `channel ${channel.id}: ${feature}` })
  return { channel, credential: key.credential, endpoint }
}

/** The cost of a deleted response could never be learned. */
const refuseWhileRunning = async (app: App, id: string) => {
  const row = await backgroundCalls.findByAnswer(app.callDb, id)
  if (row && !(await pollCall(app, row)))
    throw new Fault('response.running', { hint: 'Cancel it, or wait until it has ended.' })
}

const forward = async (app: App, context: AuthenticatedContext, stored: Stored) => {
  const { method, pathSuffix } = operations[context.operation]!
  const outgoing = storedResponseRequest(app, stored.account, {
    method,
    pathSuffix: `/${stored.id}${pathSuffix}`,
    query: context.query,
    caller: context,
  })
  const answer = await openAnswer(app, context, outgoing)
  if (answer.status < 200 || answer.status > 299)
    throw await readRefusal(app, context, refusedRequest(context, stored), answer)
  if (contentTypeOf(answer).startsWith('text/event-stream'))
    return forwardStream(app, context, stored, answer)
  const { status, type, body } = await readSmall(context, answer, responseMax)
  await applyAnswer(app, context, stored, body)
  writeResponse(context, status, ['content-type', type], body)
}

/** Updates the gateway's own records by the vendor's answer. */
const applyAnswer = async (
  app: App,
  context: AuthenticatedContext,
  { id, owned }: Stored,
  body: Buffer,
) => {
  const { operation } = context
  if (operation === 'answer-delete') return vendorResponses.remove(app.callDb, id)
  if (operation === 'answer-input') return recordItems(app, owned, itemIdsIn(body))
  const row = await backgroundCalls.findByAnswer(app.callDb, id)
  if (!row || (await settleIfFinal(app, row, chatDialect(context), body))) return
  noteRead(app, id, meteredIn(chatDialect(context), parseResponse(body)))
  await endRead(app, id)
}

const refusedRequest = ({ dialect }: AuthenticatedContext, { account }: Stored) => ({
  ...account,
  dialect,
})

const forwardStream = async (
  app: App,
  context: AuthenticatedContext,
  stored: Stored,
  answer: Answer,
) => {
  const dialect = chatDialect(context)
  const observer = dialect.observeStream(emptyRequest)
  const delivered = await writeStream(app, context, {
    answer,
    observer,
    hooks: {
      onProgress: metered => {
        noteRead(app, stored.id, metered)
        return 'go'
      },
      beforeEnd: async finish => {
        const { id: responseId } = stored
        if (finish === 'complete')
          await settleStreamEnd(app, { responseId, dialect, lastFrame: observer.tail() })
        // It is forgotten here once it is written, or was no call in the background.
        void endRead(app, responseId)
        return undefined
      },
      faultOf: failure =>
        classifyRefusal(app, refusedRequest(context, stored), {
          body: Buffer.from(JSON.stringify(failure)),
        }).fault,
    },
  })
  if (!delivered.ok) throw delivered.fault
}

/** A stream that is read again was requested by another call. */
const emptyRequest: ParsedRequest = {
  model: '',
  stream: true,
  outputMax: undefined,
  n: 1,
  hasTools: false,
  wantsUsage: true,
  promptTokens: 0,
  fieldRanges: new Map(),
  body: Buffer.alloc(0),
}
