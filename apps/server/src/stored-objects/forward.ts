import { Fault } from '@hub/contract'
import { decodeObject, readObject } from '@hub/providers'
import type { App } from '../core/app.ts'
import * as storedResources from '../db/queries/stored-resources.ts'
import { itemIdsIn, recordItems } from '../relay/background/record-items.ts'
import type { AuthenticatedContext } from '../relay/context.ts'
import { sharedObjects } from '../relay/links/check-references.ts'
import { itemFormat, listReferences } from '../relay/links/references.ts'
import { accountOf } from '../relay/references/account.ts'
import { isSameAccount } from '../relay/references/owned.ts'
import { readBody } from '../relay/request/body.ts'
import { isForm, readForm } from '../relay/request/read-form.ts'
import { observeBytes } from '../relay/response/bytes.ts'
import { writeStream } from '../relay/response/stream-writer.ts'
import { writeResponse } from '../relay/response/write.ts'
import {
  type AccountRequest,
  accountRequest,
  type StorageAccount,
} from '../relay/upstream/accounts/account-request.ts'
import { readRefusal } from '../relay/upstream/accounts/read-refusal.ts'
import {
  contentTypeOf,
  openAnswer,
  readSmall,
  type SmallAnswer,
} from '../relay/upstream/fetch-small.ts'
import type { Answer } from '../relay/upstream/send.ts'
import { checkStoredLinks } from './item-links.ts'
import { requireOneAccount } from './one-account.ts'
import { recordOwner, requireOwned, updateStored } from './records.ts'
import type { ResourceHandler } from './resource-route.ts'

export type RequestContent = NonNullable<AccountRequest['body']>

/** Bytes of an answer that describes objects. */
const answerMax = 8 * 1024 * 1024
/** One part has at most 64 MB: https://developers.openai.com/api/reference/resources/uploads */
const partMax = 65 * 1024 * 1024

/** The parameters of lists below an object. */
const forwardedParams = new Set([
  'limit',
  'order',
  'after',
  'before',
  'filter',
  'include',
  'include[]',
])

type Forwarded = { pathSuffix: string; content?: RequestContent | undefined }

/** Sends the caller's request to an account. Throws the vendor's refusal. */
const open = async (
  app: App,
  context: AuthenticatedContext,
  account: StorageAccount,
  { pathSuffix, content }: Forwarded,
): Promise<Answer> => {
  context.upstream.provider = account.channel.provider.id
  const outgoing = accountRequest(app, account, {
    method: context.request.method as AccountRequest['method'],
    pathSuffix,
    query: context.query,
    forwardedParams,
    caller: context,
    body: content,
  })
  const answer = await openAnswer(app, context, outgoing)
  if (answer.status >= 200 && answer.status < 300) return answer
  throw await readRefusal(app, context, { ...account, dialect: context.dialect }, answer)
}

/** Sends the caller's request to an account, and reads the answer. Throws the vendor's refusal. */
export const send = async (
  app: App,
  context: AuthenticatedContext,
  account: StorageAccount,
  forwarded: Forwarded,
): Promise<SmallAnswer> => {
  const answer = await readSmall(context, await open(app, context, account, forwarded), answerMax)
  if (answer.body.length < answerMax) return answer
  throw new Fault('upstream.invalid_response', { detail: 'an object is too large' })
}

/** Passes the request on to the account that stores the caller's object. */
export const forwardRequest: ResourceHandler = async (
  app,
  context,
  { route: { kind }, id, pathSuffix },
) => {
  const row = await requireOwned(app, context, kind, id)
  const account = await accountOf(app, row)
  const content = context.request.method === 'POST' ? await readContent(app, context) : undefined
  if (content) await requireSameAccount(app, row, account, content)
  const answer = await sendFor(app, context, row, () =>
    send(app, context, account, { pathSuffix, content }),
  )
  await applyAnswer(app, context, { row, account, body: answer.body })
  writeResponse(context, answer.status, ['content-type', answer.type], answer.body)
}

/** An object takes only parts of its owner that are stored at the same account. */
const requireSameAccount = async (
  app: App,
  row: storedResources.StoredResource,
  { channel }: StorageAccount,
  { content }: RequestContent,
) => {
  if (!Buffer.isBuffer(content) || content.length === 0) return
  const references = listReferences(content, { format: itemFormat }).filter(
    each => !sharedObjects(channel).has(each.id),
  )
  if (references.length > 0) {
    const stored = await requireOneAccount(app, row.user_id, references)
    if (!isSameAccount(stored, row)) throw new Fault('stored.mixed')
  }
  checkStoredLinks(row.kind, channel, { content, references })
}

const readContent = async (app: App, context: AuthenticatedContext): Promise<RequestContent> => {
  if (isForm(context.request.headers['content-type'])) {
    const encoded = (await readForm(app, context, partMax)).encode({})
    return { type: encoded.type, content: encoded }
  }
  const { headers } = context.request
  const isEmpty =
    headers['content-length'] === '0' ||
    (headers['transfer-encoding'] === undefined && headers['content-length'] === undefined)
  if (!isEmpty) return { type: 'application/json', content: await readBody(app, context) }
  return { type: 'application/json', content: Buffer.alloc(0) }
}

/** Forgets an object that its vendor does not know any more. */
const sendFor = async <T>(
  app: App,
  context: AuthenticatedContext,
  { id, run_at }: storedResources.StoredResource,
  work: () => Promise<T>,
): Promise<T> => {
  try {
    return await work()
  } catch (error) {
    const isGone = context.record.upstreamError?.status === 404 && context.path.endsWith(`/${id}`)
    // A batch that is not charged yet is ended by its poller.
    if (isGone && run_at === null) await storedResources.remove(app.callDb, id)
    throw error
  }
}

type AppliedAnswer = {
  row: storedResources.StoredResource
  account: StorageAccount
  body: Buffer
}

/** Updates the gateway's own record by the vendor's answer. A completed upload has become a file. */
const applyAnswer = async (
  app: App,
  { id: requestId, caller: { userId } }: AuthenticatedContext,
  { row, account, body }: AppliedAnswer,
) => {
  if (row.kind === 'conversations') await recordItems(app, row, itemIdsIn(body))
  const object = readObject(row.kind, body)
  if (object?.id !== row.id) return
  await updateStored(app, row.kind, object)
  const file = row.kind === 'uploads' ? decodeObject('files', object.file) : undefined
  if (file) await recordOwner(app, { kind: 'files', userId, requestId, account }, file)
}

/** Deletes the object at its vendor, and then its record. */
export const removeObject: ResourceHandler = async (
  app,
  context,
  { route: { kind }, id, pathSuffix },
) => {
  const row = await requireOwned(app, context, kind, id)
  if (row.run_at !== null)
    throw new Fault('response.running', { hint: 'Cancel it, or wait until it has ended.' })
  const account = await accountOf(app, row)
  const { status, type, body } = await sendFor(app, context, row, () =>
    send(app, context, account, { pathSuffix }),
  )
  await storedResources.remove(app.callDb, id)
  writeResponse(context, status, ['content-type', type], body)
}

/** A browser must never run a stored file as a page of this origin. */
const safeFileHeaders = [
  ...['content-disposition', 'attachment'],
  ...['content-security-policy', "default-src 'none'; sandbox"],
]

/** Sends the bytes of a file as they arrive, at the caller's pace. */
export const sendContent: ResourceHandler = async (
  app,
  context,
  { route: { kind }, id, pathSuffix },
) => {
  const row = await requireOwned(app, context, kind, id)
  const answer = await open(app, context, await accountOf(app, row), { pathSuffix })
  const delivered = await writeStream(app, context, {
    answer,
    observer: observeBytes(),
    hooks: {
      headers: [
        'content-type',
        contentTypeOf(answer) || 'application/octet-stream',
        ...safeFileHeaders,
      ],
      beforeEnd: () => undefined,
      faultOf: () => new Fault('upstream.broken'),
    },
  })
  if (!delivered.ok) throw delivered.fault
}
