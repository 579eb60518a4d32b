import { Fault } from '@hub/contract'
import type { App } from '../../../core/app.ts'
import * as storedResources from '../../../db/queries/stored-resources.ts'
import type { AuthenticatedContext } from '../../../relay/context.ts'
import {
  type AccountRequest,
  accountRequest,
  type StorageAccount,
} from '../../../relay/upstream/accounts/account-request.ts'
import { refusalOf } from '../../../relay/upstream/accounts/read-refusal.ts'
import { openAnswer, readSmall, type SmallAnswer } from '../../../relay/upstream/fetch-small.ts'
import type { Answer } from '../../../relay/upstream/send.ts'

/** Bytes of an answer that describes one object. */
const answerMax = 1024 * 1024

/** https://ai.google.dev/api/caching#method:-cachedcontents.patch */
const forwardedParams: ReadonlySet<string> = new Set(['updateMask'])

export type GeminiAnswer = SmallAnswer & Pick<Answer, 'headers'>

type GeminiRequest = Pick<AccountRequest, 'pathSuffix' | 'body'>

/** Sends the caller's request to an account, and reads the answer. Throws the vendor's refusal. */
export const sendToAccount = async (
  app: App,
  context: AuthenticatedContext,
  account: StorageAccount,
  { pathSuffix, body }: GeminiRequest,
): Promise<GeminiAnswer> => {
  context.upstream.provider = account.channel.provider.id
  const outgoing = accountRequest(app, account, {
    method: context.request.method as AccountRequest['method'],
    ...{ pathSuffix, forwardedParams, body },
    query: context.query,
    caller: context,
  })
  const opened = await openAnswer(app, context, outgoing)
  const answer = { ...(await readSmall(context, opened, answerMax)), headers: opened.headers }
  if (answer.status >= 200 && answer.status < 300) return answer
  throw refusalOf(app, context, { ...account, dialect: context.dialect }, answer)
}

/** As `sendToAccount`, about an object. One that the vendor does not know any more is forgotten. */
export const sendForObject = async (
  app: App,
  context: AuthenticatedContext,
  { row, account }: { row: storedResources.StoredResource; account: StorageAccount },
  request: GeminiRequest,
): Promise<SmallAnswer> => {
  try {
    return await sendToAccount(app, context, account, request)
  } catch (error) {
    if (!isUnknown(context)) throw error
    context.record.upstreamError = undefined
    await storedResources.remove(app.callDb, row.id)
    throw new Fault('stored.unknown', { hint: `Id: ${row.id}.` })
  }
}

/** Google refuses the names of others and those that are gone alike: “…or it may not exist”, “…(or permission denied)”. */
const isUnknown = ({ record: { upstreamError } }: AuthenticatedContext): boolean =>
  upstreamError?.status === 404 ||
  (upstreamError?.status === 403 && /may not exist|not found/.test(upstreamError.body.toString()))
