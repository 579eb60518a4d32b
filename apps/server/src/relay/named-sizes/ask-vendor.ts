import { inputTokens, outputTokens } from '@hub/dialects'
import { readObject, resourceKind } from '@hub/providers'
import type { App } from '../../core/app.ts'
import type { StoredResource } from '../../db/queries/stored-resources.ts'
import { responseMax } from '../background/poll-background.ts'
import { storedResponseRequest } from '../background/request.ts'
import type { CallRecord } from '../call-state.ts'
import { type AuthenticatedContext, chatDialect, type ResolvedRequest } from '../context.ts'
import { accountOf } from '../references/account.ts'
import { storingEndpoint } from '../references/storing-endpoint.ts'
import { accountRequest } from '../upstream/accounts/account-request.ts'
import { fetchSmall } from '../upstream/fetch-small.ts'
import type { Outgoing } from '../upstream/send.ts'

/** The caller waits for it before the hold. */
const timeoutMs = 2_000
const objectMax = 1024 * 1024

/** The candidates of a virtual model share the answers. */
const sizesByCall = new WeakMap<CallRecord, Map<string, Promise<number | undefined>>>()

const askOnce = (
  { record }: AuthenticatedContext,
  id: string,
  read: () => Promise<number | undefined>,
): Promise<number | undefined> => {
  const sizes = sizesByCall.get(record) ?? new Map<string, Promise<number | undefined>>()
  sizesByCall.set(record, sizes)
  const answer = sizes.get(id) ?? read()
  sizes.set(id, answer)
  return answer
}

/** Asks the vendor for something of the caller's. Undefined where it does not answer in time, or not with 200. */
const ask = async (
  app: App,
  context: AuthenticatedContext,
  outgoing: Outgoing,
  sizeMax: number,
): Promise<Buffer | undefined> => {
  try {
    const { status, body } = await fetchSmall(app, outgoing, { sizeMax, timeoutMs, context })
    return status === 200 ? body : undefined
  } catch (error) {
    app.log.info({ err: error, request: context.id }, 'a vendor did not tell the size of an object')
    return undefined
  }
}

/** Asks for the usage of the response that the call continues. */
export const askResponseTokens = async (
  app: App,
  context: AuthenticatedContext,
  { parsed, target: { candidates, key, continues } }: ResolvedRequest,
): Promise<number | undefined> => {
  const channel = candidates.tiers[0]?.channels[0]
  if (!channel || !key || !continues) return undefined
  // Only callers of this dialect can continue a response.
  const dialect = chatDialect(context)
  const endpoint = storingEndpoint(app, channel, {
    dialect: dialect.id,
    model: parsed.model,
    feature: 'answers',
  })
  if (!endpoint) return undefined
  const account = { channel, credential: key.credential, endpoint }
  return askOnce(context, continues.id, async () => {
    const outgoing = storedResponseRequest(app, account, {
      ...{ method: 'GET', pathSuffix: `/${continues.id}`, query: '' },
    })
    const body = await ask(app, context, outgoing, responseMax)
    const answer = body && dialect.readAnswer(body)
    if (!answer?.ok || !answer.usage || answer.usage === 'broken') return undefined
    return inputTokens(answer.usage) + outputTokens(answer.usage)
  })
}

const noParams: ReadonlySet<string> = new Set()

/** Asks for the bytes of a file whose record has none. */
export const askFileBytes = (
  app: App,
  context: AuthenticatedContext,
  row: StoredResource,
): Promise<number | undefined> => askOnce(context, row.id, () => readFileBytes(app, context, row))

const readFileBytes = async (
  app: App,
  context: AuthenticatedContext,
  row: StoredResource,
): Promise<number | undefined> => {
  const id = row.id.slice(resourceKind(row.kind).namePrefix?.length ?? 0)
  const outgoing = accountRequest(app, await accountOf(app, row), {
    ...{ method: 'GET', pathSuffix: `/${id}`, query: '', forwardedParams: noParams },
  })
  const body = await ask(app, context, outgoing, objectMax)
  const object = body && readObject(row.kind, body)
  return Number.isSafeInteger(object?.bytes) ? (object!.bytes as number) : undefined
}
