import { Fault } from '@hub/contract'
import { type BatchApi, batchApiOf, type ResourceApi, readObject } from '@hub/providers'
import type { App } from '../../core/app.ts'
import { failpoint } from '../../lib/failpoint.ts'
import type { AuthenticatedContext } from '../../relay/context.ts'
import { visitFields } from '../../relay/links/find-links.ts'
import { scanKeys } from '../../relay/links/scan-keys.ts'
import { accountOf } from '../../relay/references/account.ts'
import { readBody } from '../../relay/request/body.ts'
import { writeJson } from '../../relay/response/write.ts'
import {
  accountRequest,
  type StorageAccount,
} from '../../relay/upstream/accounts/account-request.ts'
import { refusalOf } from '../../relay/upstream/accounts/read-refusal.ts'
import { fetchSmall, isJson, openAnswer } from '../../relay/upstream/fetch-small.ts'
import { chooseAccount, withKind } from '../choose-account.ts'
import { listOfOneAccount } from '../one-account.ts'
import { requireOwned } from '../records.ts'
import type { ResourceHandler } from '../resource-route.ts'
import { withBatchHolds } from './hold.ts'
import { BatchPlan } from './plan.ts'
import { presentBatch } from './present.ts'
import { readLines } from './read-lines.ts'
import { recordBatch } from './record.ts'

const noParams: ReadonlySet<string> = new Set()
const batchMax = 1024 * 1024
/** More would be beyond what one charge can count. */
const promptTokensMax = 500_000_000

type NewBatch = { account: StorageAccount; plan: BatchPlan; body: Buffer }

/** Creates a batch: every request of it is checked and reserved as a call would be, at the price of a batch. */
export const createBatch: ResourceHandler = async (app, context, { route }, admission) => {
  const api = batchApiOf(route.kind)
  const body = await readBody(app, context)
  const batch =
    api.kind === 'message-batches'
      ? await planMessages(app, context, { api, vendorApi: route.api }, body)
      : await planFile(app, context, api, body)
  await requireReferences(app, context, batch)
  const groups = batch.plan.groups.filter((each, _, all) => isUsed(each.model, all))
  if (groups.every(each => each.requests === 0))
    throw new Fault('batch.invalid', { hint: 'It has no requests.' })
  if (groups.some(each => each.promptTokens > promptTokensMax))
    throw new Fault('batch.invalid', { hint: 'It is too large. Split it into several.' })
  const { provider } = batch.account.channel
  context.upstream.provider = provider.id
  const ratio = provider.stores!.batchPriceRatio
  await withBatchHolds(app, context, { groups, ratio, admission }, async holds => {
    const object = await submit(app, context, batch, api.kind)
    const { account } = batch
    await recordBatch(app, context, { kind: api.kind, account, object, holds, ratio })
    failpoint('batch left')
    writeJson(context, presentBatch(context, { kind: api.kind, isCharged: false }, object))
  })
}

/** An answer may fall into any tier of its model's price. */
const isUsed = (model: string, all: BatchPlan['groups']) =>
  all.some(each => each.model === model && each.requests > 0)

/** The vendor has the batch even if the caller leaves now, so that the request is not aborted with it. */
const submit = async (
  app: App,
  context: AuthenticatedContext,
  { account, body }: NewBatch,
  kind: BatchApi['kind'],
) => {
  const outgoing = accountRequest(app, account, {
    ...{ method: 'POST', pathSuffix: '', query: '', forwardedParams: noParams },
    caller: context,
    body: { type: 'application/json', content: body },
  })
  const answer = await fetchSmall(app, outgoing, { sizeMax: batchMax })
  if (answer.status < 200 || answer.status > 299)
    throw refusalOf(app, context, { ...account, dialect: context.dialect }, answer)
  const object = isJson(answer.type) ? readObject(kind, answer.body) : undefined
  if (!object) throw new Fault('upstream.invalid_response', { detail: 'a batch without id' })
  return object
}

/** Files that requests name must be the caller's own, at the account of the batch. */
const requireReferences = async (
  app: App,
  { caller }: AuthenticatedContext,
  { plan, account }: NewBatch,
) => {
  if (plan.references.size === 0) return
  const rows = await listOfOneAccount(app, caller.userId, [...plan.references])
  const stored = await accountOf(app, rows[0]!)
  const isSame =
    stored.channel.id === account.channel.id && stored.credential === account.credential
  if (!isSame) throw new Fault('stored.mixed')
  plan.addFiles(new Map(rows.map(each => [each.id, each.size])))
}

type BatchFields = { input_file_id?: unknown; endpoint?: unknown; requests?: unknown }

const parse = (body: Buffer): BatchFields => {
  const value = parseObject(body)
  if (!value) throw new Fault('request.unreadable')
  if (hasRepeatedKey(body, value))
    throw new Fault('request.ambiguous', { hint: 'An object of the batch has a field twice.' })
  return value
}

const parseObject = (text: Buffer): object | undefined => {
  try {
    const value: unknown = JSON.parse(text.toString())
    return typeof value === 'object' && value !== null ? value : undefined
  } catch {
    return undefined
  }
}

/** The vendor could read the other value. */
const hasRepeatedKey = (text: Buffer, value: object): boolean =>
  visitFields(value, () => {}) !== scanKeys(text).count

/** Reads the caller's own file of requests, one a line: https://developers.openai.com/api/docs/guides/batch */
const planFile = async (
  app: App,
  context: AuthenticatedContext,
  api: BatchApi,
  body: Buffer,
): Promise<NewBatch> => {
  const { input_file_id, endpoint } = parse(body)
  const format = api.formatOf({ endpoint })
  if (!format)
    throw new Fault('operation.unpriced', { hint: `Endpoint: ${String(endpoint).slice(0, 100)}.` })
  const row = await requireOwned(app, context, 'files', String(input_file_id ?? ''))
  const files = await accountOf(app, row)
  const account = withKind(files, 'batches')
  const plan = new BatchPlan(app, context, { account, format, modelsMax: api.modelsMax })
  const outgoing = accountRequest(app, files, {
    ...{ method: 'GET', pathSuffix: `/${row.id}/content`, query: '', forwardedParams: noParams },
  })
  const answer = await openAnswer(app, context, outgoing)
  if (answer.status !== 200) {
    answer.drop()
    throw new Fault('stored.unavailable', { detail: `input file: ${answer.status}` })
  }
  let line = 0
  await readLines(answer, bytes => {
    line += 1
    const place = `Line ${line}`
    const request = readRequest(bytes, place)
    if (request.method !== 'POST' || request.url !== endpoint)
      throw new Fault('batch.invalid', { hint: `${place}: 'url' must be ${String(endpoint)}.` })
    plan.add(String(request.custom_id), Buffer.from(JSON.stringify(request.body ?? {})), place)
  })
  return { account, plan, body }
}

type FileRequest = { custom_id?: unknown; method?: unknown; url?: unknown; body?: unknown }

const readRequest = (line: Buffer, place: string): FileRequest => {
  const request = parseObject(line)
  if (!request) throw new Fault('batch.invalid', { hint: `${place}: it is not a JSON object.` })
  if (hasRepeatedKey(line, request))
    throw new Fault('batch.invalid', { hint: `${place}: an object has a field twice.` })
  return request
}

/** https://platform.claude.com/docs/en/build-with-claude/batch-processing */
const planMessages = async (
  app: App,
  context: AuthenticatedContext,
  { api, vendorApi }: { api: BatchApi; vendorApi: ResourceApi },
  body: Buffer,
): Promise<NewBatch> => {
  const { requests } = parse(body)
  if (!Array.isArray(requests))
    throw new Fault('request.invalid', { hint: "'requests' is a list." })
  const [first] = requests as { params?: { model?: unknown } }[]
  const model = String(first?.params?.model ?? '')
  const account = await chooseAccount(app, context, { api: vendorApi, kind: api.kind, model })
  const format = api.formatOf({})!
  const plan = new BatchPlan(app, context, { account, format, modelsMax: api.modelsMax })
  for (const [index, each] of (requests as { custom_id?: unknown; params?: unknown }[]).entries())
    plan.add(
      String(each?.custom_id),
      Buffer.from(JSON.stringify(each?.params ?? {})),
      `requests[${index}]`,
    )
  return { account, plan, body }
}
