import type { VendorTaskRequest } from '@hub/providers'
import type { App } from '../core/app.ts'
import type { Channel } from '../relay/channels/channel.ts'
import { checkSteeringOf } from '../relay/channels/steering.ts'
import { checkLinksOf } from '../relay/links/check-links.ts'
import { requireShared } from '../relay/links/check-references.ts'
import { listTaskReferences } from '../relay/links/references.ts'
import { fetchSmall } from '../relay/upstream/fetch-small.ts'
import { addProviderHeaders, setHeaders } from '../relay/upstream/headers.ts'
import type { Answer, MayStart, Outgoing } from '../relay/upstream/send.ts'
import { signRequest } from '../relay/upstream/sign.ts'
import { withoutFiles } from './files/answers.ts'

/** An account of a vendor. */
export type VendorAccount = { channel: Channel; credential: string; model: string }

/** Lists of results with texts of songs are the largest answers. */
const answerMax = 8 * 1024 * 1024
/** An answer that holds a file takes longer. */
const fileTimeoutMs = 60_000

export type AccountAnswer = { status: number; body: unknown }

export const outgoingOf = (
  app: App,
  { channel, credential, model }: VendorAccount,
  { method, path, body, headers: more = {} }: VendorTaskRequest,
  passed: string[] = [],
): Outgoing => {
  const headers = setHeaders(passed, {
    accept: 'application/json',
    'accept-encoding': 'identity',
    ...(body && { 'content-type': 'application/json' }),
    ...more,
  })
  addProviderHeaders(headers, channel.provider)
  return signRequest(
    app,
    // Addresses with ids would fill the cache of fixed ones.
    { channel, credential, path: () => path, model, stream: false },
    {
      method,
      headers: setHeaders(headers, channel.requestHeaders),
      body: body ? Buffer.from(JSON.stringify(body)) : null,
    },
  )
}

type AskOptions = {
  timeoutMs: number
  /** The caller's headers that leave with it; absent where the gateway asks for itself. */
  passed?: string[]
  mayStart?: MayStart
  onUnanswered?(isSent: boolean): void
}

/** Asks the vendor. An answer that is no JSON has an undefined body. Throws where there is no answer. */
export const askVendor = async (
  app: App,
  account: VendorAccount,
  request: VendorTaskRequest,
  more: AskOptions,
): Promise<AccountAnswer> => {
  const { fileField } = request
  const { passed, ...limits } = more
  const options = {
    ...{ sizeMax: answerMax, ...limits },
    ...(fileField !== undefined && {
      timeoutMs: fileTimeoutMs,
      transform: (answer: Answer) => withoutFiles(answer, fileField),
    }),
  }
  const { status, body } = await fetchSmall(app, outgoingOf(app, account, request, passed), options)
  return { status, body: parse(body) }
}

const parse = (body: Buffer): unknown => {
  try {
    return JSON.parse(body.toString())
  } catch {
    return undefined
  }
}

/** Judges the request that leaves for a task: its links, its steering fields, and the objects that it names. */
export const checkTaskRequest = (channel: Channel, body: VendorTaskRequest['body']): void => {
  checkLinksOf(channel, body)
  checkSteeringOf(channel, '', body)
  for (const each of listTaskReferences(body)) requireShared(channel, each)
}
