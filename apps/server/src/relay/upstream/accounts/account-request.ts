import { appendToPath, type EndpointPath } from '@hub/providers'
import type { App } from '../../../core/app.ts'
import type { Channel } from '../../channels/channel.ts'
import { checkSteeringIn } from '../../channels/steering.ts'
import type { RequestContext } from '../../context.ts'
import { formAsJson } from '../../request/form-json.ts'
import { addProviderHeaders, callerHeaders, setHeaders } from '../headers.ts'
import type { Outgoing } from '../send.ts'
import { signRequest } from '../sign.ts'

/** An account that stores things for callers, and the address of their collection. */
export type StorageAccount = { channel: Channel; credential: string; path: EndpointPath }

export type AccountRequest = {
  method: Outgoing['method']
  /** Appended to the path of the collection. */
  pathSuffix: string
  query: string
  /** The only parameters of the query that are forwarded; a query may hold the caller's key. */
  forwardedParams: ReadonlySet<string>
  /** Whose headers leave with it; absent where the gateway asks for itself. */
  caller?: Pick<RequestContext, 'request' | 'dialect' | 'body' | 'upstream'>
  body?: { type: string; content: NonNullable<Outgoing['body']> } | undefined
}

type Content = NonNullable<AccountRequest['body']>

const checkFields = (
  channel: Channel,
  { dialect, body: { form } }: NonNullable<AccountRequest['caller']>,
  { type, content }: Content,
): void => {
  if (!Buffer.isBuffer(content)) {
    if (form) checkSteeringIn(channel, dialect.id, formAsJson(form))
  } else if (type === 'application/json') checkSteeringIn(channel, dialect.id, content)
}

/** Builds a request for something that the account stores. */
export const accountRequest = (
  app: App,
  { channel, credential, path }: StorageAccount,
  { method, pathSuffix, query, forwardedParams, caller, body }: AccountRequest,
): Outgoing => {
  if (body && caller) checkFields(channel, caller, body)
  const passed = caller ? callerHeaders(app, caller, channel, caller.dialect.id) : []
  const headers = setHeaders(passed, {
    accept: '*/*',
    'accept-encoding': 'identity',
    ...(body && { 'content-type': body.type }),
    ...(body && !Buffer.isBuffer(body.content) && { 'content-length': String(body.content.size) }),
  })
  addProviderHeaders(headers, channel.provider)
  const outgoing = signRequest(
    app,
    { channel, credential, path: appendToPath(path, pathSuffix), model: '', stream: false },
    { method, headers: setHeaders(headers, channel.requestHeaders), body: body?.content ?? null },
  )
  const params = new URLSearchParams(
    [...new URLSearchParams(query)].filter(([name]) => forwardedParams.has(name)),
  ).toString()
  if (params !== '') outgoing.path += `${outgoing.path.includes('?') ? '&' : '?'}${params}`
  return outgoing
}
