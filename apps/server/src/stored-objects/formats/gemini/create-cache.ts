import { Fault } from '@hub/contract'
import { gemini, type ParsedRequest } from '@hub/dialects'
import { decodeObject } from '@hub/providers'
import { type App, nowSeconds } from '../../../core/app.ts'
import * as storedResources from '../../../db/queries/stored-resources.ts'
import { billedModelOf, servesModel, upstreamModelOf } from '../../../relay/channels/channel.ts'
import type { AuthenticatedContext } from '../../../relay/context.ts'
import { checkModelAllowed } from '../../../relay/limits/admit.ts'
import { checkLinks } from '../../../relay/links/check-links.ts'
import { idsOf, listReferences } from '../../../relay/links/references.ts'
import type { PaidStorage } from '../../../relay/local-responses/sealed-object.ts'
import { fairPromptTokens } from '../../../relay/prompt-count/fair-prompt.ts'
import { accountOf } from '../../../relay/references/account.ts'
import { readBody } from '../../../relay/request/body.ts'
import { unreadableFault } from '../../../relay/request/unreadable.ts'
import { writeJson } from '../../../relay/response/write.ts'
import type { StorageAccount } from '../../../relay/upstream/accounts/account-request.ts'
import { chooseAccount, withKind } from '../../choose-account.ts'
import { refuseBeyondLimits } from '../../create.ts'
import { listOfOneAccount } from '../../one-account.ts'
import { recordOwner } from '../../records.ts'
import type { ResourceHandler } from '../../resource-route.ts'
import { storageUsage, storedSeconds, withStorageHold } from './cache-storage.ts'
import { presentGeminiObject } from './present.ts'
import { sendToAccount } from './send-request.ts'
import { parseJson } from './show.ts'

const kind = 'cached-contents'

/** The longest prompt that a model of Google reads. */
const promptMax = 1_048_576

type NewCache = { parsed: ParsedRequest; fields: object; seconds: number; account: StorageAccount }

/**
 * Stores a prompt. Its tokens are charged as input, and their storage until the end of its time, by the count that the
 * vendor reports: https://ai.google.dev/gemini-api/docs/caching#how-explicit-caching-reduces-costs
 */
export const createCache: ResourceHandler = async (app, context, _call, admission) => {
  await refuseBeyondLimits(app, context)
  const result = gemini.read(await readBody(app, context))
  if (!result.ok) throw unreadableFault(result)
  const { parsed } = result
  checkModelAllowed(context.token, parsed.model)
  const fields = parseJson(parsed.body) as object
  const seconds = storedSeconds(app, fields)
  const { account, files } = await accountFor(app, context, parsed)
  const tokens = Math.min(promptMax, parsed.promptTokens + tokensOfFiles(parsed, files))
  const charge = {
    model: parsed.model,
    billedModel: billedModelOf(account.channel, parsed.model),
    channel: account.channel,
    usage: storageUsage({ read: tokens, tokens, seconds }),
    admission,
  }
  await withStorageHold(app, context, charge, () =>
    storePrompt(app, context, { parsed, fields, seconds, account }),
  )
}

type Files = readonly storedResources.StoredResource[]

/** The account of the files that the prompt names, or else any that may store it. */
const accountFor = async (
  app: App,
  context: AuthenticatedContext,
  parsed: ParsedRequest,
): Promise<{ account: StorageAccount; files: Files }> => {
  const { body, model, hasAddresses } = parsed
  const ids = idsOf(listReferences(body, { format: 'gemini', hasAddresses }))
  if (ids.length === 0) {
    const account = await chooseAccount(app, context, { api: 'gemini', kind, model })
    checkLinks(account.channel, parsed)
    return { account, files: [] }
  }
  const [row] = await listOfOneAccount(app, context.caller.userId, ids)
  const account = withKind(await accountOf(app, row!), kind)
  if (!servesModel(account.channel, model))
    throw new Fault('stored.unavailable', { hint: 'Or it does not serve this model.' })
  checkLinks(account.channel, parsed, new Set(ids))
  return { account, files: await storedResources.listOwned(app.callDb, context.caller.userId, ids) }
}

/** A cautious estimate: a token has two bytes or more. A file at another address may be as long as a prompt. */
const tokensOfFiles = ({ body }: ParsedRequest, files: Files): number => {
  const named = body.toString('latin1').match(/"file_?uri"/gi)?.length ?? 0
  if (named > files.length) return promptMax
  return files.reduce((sum, { size }) => sum + Math.ceil(size / 2), 0)
}

const storePrompt = async (
  app: App,
  context: AuthenticatedContext,
  { parsed, fields, seconds, account }: NewCache,
) => {
  const upstreamModel = upstreamModelOf(account.channel, parsed.model)
  const isTimed = ['ttl', 'expireTime', 'expire_time'].some(each => each in fields)
  const sent = {
    ...fields,
    model: `models/${upstreamModel}`,
    ...(!isTimed && { ttl: `${seconds}s` }),
  }
  const body = { type: 'application/json', content: Buffer.from(JSON.stringify(sent)) }
  const answer = await sendToAccount(app, context, account, { pathSuffix: '', body })
  const created = parseJson(answer.body)
  const object = decodeObject(kind, created)
  if (!object) throw new Fault('upstream.invalid_response', { detail: 'a cache without a name' })
  const reported = reportedTokens(created)
  if (reported === undefined) app.metrics.alarms.inc({ kind: 'usage_missing' })
  const counted = { parsed, format: 'gemini', model: upstreamModel, userId: context.caller.userId }
  const tokens = reported ?? (await fairPromptTokens(app, counted, { isExact: true }))
  const storage: PaidStorage = {
    tokens,
    paidUntil: nowSeconds(app) + seconds,
    model: parsed.model,
    billedModel: billedModelOf(account.channel, parsed.model),
  }
  const stored = { ...object, storage }
  const placement = { kind, userId: context.caller.userId, requestId: context.id, account } as const
  await recordOwner(app, placement, stored)
  return {
    usage: storageUsage({ read: tokens, tokens, seconds }),
    estimated: reported === undefined,
    answer: () => writeJson(context, presentGeminiObject(stored)),
  }
}

const reportedTokens = (created: unknown): number | undefined => {
  const { usageMetadata } = created as { usageMetadata?: { totalTokenCount?: unknown } }
  const count = usageMetadata?.totalTokenCount
  return Number.isSafeInteger(count) && (count as number) >= 0 ? (count as number) : undefined
}
