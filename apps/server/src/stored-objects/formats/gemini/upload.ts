import { Fault } from '@hub/contract'
import { decodeObject } from '@hub/providers'
import type { App } from '../../../core/app.ts'
import { identify, identifyKey, isKeyless, readCredential } from '../../../relay/auth/identify.ts'
import type { AuthenticatedContext, RequestContext } from '../../../relay/context.ts'
import { admit } from '../../../relay/limits/admit.ts'
import { storingKeyOf } from '../../../relay/references/owner.ts'
import { readBody, tooLarge } from '../../../relay/request/body.ts'
import { originOf } from '../../../relay/request/origin.ts'
import { readUpload } from '../../../relay/request/read-upload.ts'
import { writeResponse } from '../../../relay/response/write.ts'
import { channelIndex } from '../../../relay/routing/channel-index.ts'
import type {
  AccountRequest,
  StorageAccount,
} from '../../../relay/upstream/accounts/account-request.ts'
import { chooseAccount } from '../../choose-account.ts'
import { refuseBeyondLimits, uploadMax } from '../../create.ts'
import { recordOwner } from '../../records.ts'
import { presentGeminiObject } from './present.ts'
import { type GeminiAnswer, sendToAccount } from './send-request.ts'
import { parseJson } from './show.ts'

// A file is sent in several requests: the first describes it and is answered with an address for the bytes.
// https://ai.google.dev/api/files#method:-media.upload, https://developers.google.com/streetview/publish/resumable-uploads

/** The vendor's address of an upload, and whose it is. The caller has it encrypted, so that nothing has to be stored. */
type UploadSession = {
  userId: number
  /** The caller's: clients send the bytes without a key, as the vendor's examples do. */
  key: string
  channelId: number
  /** A fingerprint. */
  credential: string
  /** The path at the channel's origin. */
  path: string
}

const sealedAs = ['upload-session', 'upload'] as const

/** Answers one request of an upload: the first, or one to the address that the first was answered with. */
export const handleUpload = async (app: App, request: RequestContext): Promise<void> => {
  const sealed = new URLSearchParams(request.query).get('upload_id')
  if (sealed === null) {
    const context = await identify(app, request)
    await using _admission = await admit(app, context)
    return await startUpload(app, context)
  }
  const session = openSession(app, sealed)
  const context = isKeyless(request)
    ? await identifyKey(app, request, session.key)
    : await identify(app, request)
  if (context.caller.userId !== session.userId) throw unknownUpload()
  await using _admission = await admit(app, context)
  await continueUpload(app, context, session)
}

const unknownUpload = () => new Fault('stored.unknown', { hint: "Its 'upload_id' is not known." })

const openSession = (app: App, sealed: string): UploadSession => {
  try {
    return JSON.parse(app.seal.open(...sealedAs, sealed)) as UploadSession
  } catch {
    throw unknownUpload()
  }
}

const startUpload = async (app: App, context: AuthenticatedContext): Promise<void> => {
  const size = readSize(context)
  await refuseBeyondLimits(app, context, size)
  const metadata = readMetadata(await readBody(app, context))
  const account = await chooseAccount(app, context, { api: 'gemini', kind: 'gemini-uploads' })
  const body = { type: 'application/json', content: metadata }
  const answer = await sendToAccount(app, context, account, { pathSuffix: '', body })
  const path = uploadPathOf(account, answer)
  const session: UploadSession = {
    userId: context.caller.userId,
    key: readCredential(context.request.headers, context.query).key,
    channelId: account.channel.id,
    credential: app.seal.fingerprint('channel-key', account.credential),
    path,
  }
  const query = new URLSearchParams({
    upload_id: app.seal.seal(...sealedAs, JSON.stringify(session)),
    upload_protocol: 'resumable',
  })
  const address = `${originOf(context)}${context.path}?${query}`
  const headers = ['x-goog-upload-url', address, ...uploadHeaders(answer)]
  writeResponse(context, answer.status, headers, Buffer.alloc(0))
}

/** Checks the protocol, and returns the size that the caller announces. */
const readSize = ({ request: { headers } }: AuthenticatedContext): number => {
  const protocol = String(headers['x-goog-upload-protocol']).toLowerCase()
  const command = String(headers['x-goog-upload-command']).toLowerCase()
  if (protocol !== 'resumable' || command !== 'start')
    throw new Fault('request.invalid', {
      hint: 'Uploads start with X-Goog-Upload-Protocol: resumable and X-Goog-Upload-Command: start.',
    })
  const size = Number(headers['x-goog-upload-header-content-length'] ?? 1)
  if (size > uploadMax) throw tooLarge(uploadMax)
  return Number.isSafeInteger(size) && size > 0 ? size : 1
}

/** A name of the caller's choice could be that of another caller's file, who would read this one under it. */
const readMetadata = (body: Buffer): Buffer => {
  const metadata = parseJson(body)
  if (typeof metadata !== 'object' || metadata === null) throw new Fault('request.unreadable')
  const { file } = metadata as { file?: { name?: unknown } | null }
  if (file?.name !== undefined && file.name !== '')
    throw new Fault('request.invalid', {
      hint: "'file.name' is chosen by the vendor, since callers share its account. Set 'displayName'.",
    })
  // Encoded again, so that the vendor cannot read a field that is there twice otherwise.
  return Buffer.from(JSON.stringify(metadata))
}

/** The path of the vendor's upload address below the channel's own address. Its host is never asked. */
const uploadPathOf = (
  { channel: { baseUrl, provider } }: StorageAccount,
  { headers }: GeminiAnswer,
): string => {
  const { pathname, search } = URL.parse(String(headers['x-goog-upload-url'])) ?? {}
  if (pathname === undefined || search === undefined)
    throw new Fault('upstream.invalid_response', { detail: 'an upload without an address' })
  const prefix = new URL(baseUrl || provider.baseUrl).pathname.replace(/\/+$/, '')
  return (pathname.startsWith(`${prefix}/`) ? pathname.slice(prefix.length) : pathname) + search
}

const passedHeaders = [
  'x-goog-upload-status',
  'x-goog-upload-size-received',
  'x-goog-upload-chunk-granularity',
]

/** The vendor's headers that the protocol needs. Others name the vendor's own addresses. */
const uploadHeaders = ({ headers }: GeminiAnswer): string[] =>
  passedHeaders.flatMap(name => (typeof headers[name] === 'string' ? [name, headers[name]] : []))

const continueUpload = async (
  app: App,
  context: AuthenticatedContext,
  { channelId, credential, path }: UploadSession,
): Promise<void> => {
  const channel = (await channelIndex(app).get()).byId.get(channelId)
  const key = channel && storingKeyOf(channel, credential)
  if (!channel || !key) throw new Fault('stored.unavailable')
  const account: StorageAccount = { channel, credential: key.credential, path: () => path }
  const body = await readPart(app, context)
  const answer = await sendToAccount(app, context, account, { pathSuffix: '', body })
  const headers = uploadHeaders(answer)
  const file = decodeObject('gemini-files', fileOf(answer))
  if (!file && answer.headers['x-goog-upload-status'] === 'final')
    throw new Fault('upstream.invalid_response', { detail: 'an upload without its file' })
  if (!file) return writeResponse(context, answer.status, headers, Buffer.alloc(0))
  const { id: requestId, caller } = context
  const placement = { kind: 'gemini-files' as const, userId: caller.userId, requestId, account }
  await recordOwner(app, placement, file)
  const shown = Buffer.from(JSON.stringify({ file: presentGeminiObject(file) }))
  writeResponse(context, answer.status, ['content-type', answer.type, ...headers], shown)
}

/** Commands without bytes, such as `query`, have an empty body. */
const readPart = async (
  app: App,
  context: AuthenticatedContext,
): Promise<AccountRequest['body']> => {
  const { 'content-length': length, 'transfer-encoding': encoding } = context.request.headers
  if (encoding === undefined && (length === undefined || length === '0'))
    return { type: 'application/octet-stream', content: Buffer.alloc(0) }
  const content = await readUpload(app, context, uploadMax)
  return { type: content.type, content }
}

const fileOf = ({ body }: GeminiAnswer): unknown =>
  (parseJson(body) as { file?: unknown } | null | undefined)?.file
