import { Fault } from '@hub/contract'
import { type CallerFormat, inputTokens, noUsage, type Usage } from '@hub/dialects'
import {
  type BatchApi,
  type BatchLine,
  batchApiOf,
  type Provider,
  type ResultFile,
  readObject,
  type StoredObject,
} from '@hub/providers'
import { recoverDetached, settleDetached, voidDetached } from '../../billing/calls/detached.ts'
import type { CallResult } from '../../billing/open-hold.ts'
import { addUsage } from '../../billing/usage.ts'
import type { App } from '../../core/app.ts'
import * as backgroundCalls from '../../db/queries/background-calls.ts'
import * as storedResources from '../../db/queries/stored-resources.ts'
import { failpoint } from '../../lib/failpoint.ts'
import { sealObject } from '../../relay/local-responses/sealed-object.ts'
import { chargedModes } from '../../relay/price-fields/charged-modes.ts'
import { billOfStored } from '../../relay/references/stored-bill.ts'
import { estimateHiddenReasoning, type ReasoningTerms } from '../../relay/response/left/estimate.ts'
import {
  accountRequest,
  type StorageAccount,
} from '../../relay/upstream/accounts/account-request.ts'
import { decompressed } from '../../relay/upstream/decompress.ts'
import { fetchSmall } from '../../relay/upstream/fetch-small.ts'
import { send } from '../../relay/upstream/send.ts'
import { rowOf } from '../records.ts'
import { readLines } from './read-lines.ts'
import { type BatchCharge, detachedOf, listCharges, resultOf } from './record.ts'

/** `metered`: the output tokens of the answers without usage, which the gateway counted. */
type Total = { usage: Usage; answers: number; unreported: number; metered: number }
type Totals = Map<BatchCharge, Total>

export type EndedBatch = {
  row: storedResources.StoredResource
  object: StoredObject
  accountFor(kind: ResultFile['kind']): StorageAccount
}

/**
 * Charges an ended batch by the usage of its answers. Its results no longer change, so every process computes the same
 * charges, and only the first of each is posted. After that its results may be read.
 */
export const chargeBatch = async (app: App, batch: EndedBatch): Promise<void> => {
  const { row, object } = batch
  const api = batchApiOf(row.kind)
  const charges = await listCharges(app, row.id)
  const totals: Totals = new Map(
    charges.map(each => [each, { usage: noUsage(), answers: 0, unreported: 0, metered: 0 }]),
  )
  for (const file of api.resultFiles(object)) await addFile(app, { batch, api, file, totals })
  for (const [charge, total] of totals) {
    if (total.answers === 0) await voidDetached(app, charge.row.request_id)
    else
      await settleDetached(app, detachedOf(charge), {
        ...(await chargedResult(app, charge, total)),
        bill: await billOfBatch(app, charge),
      })
    failpoint('batch charged')
  }
  await finishBatch(app, batch, charges)
}

/** The vendor gives the discount that the caller gets. */
const billOfBatch = (app: App, { row, draft: { model, ratio } }: BatchCharge) =>
  billOfStored(app, { channelId: row.channel_id, model, ratio })

/** Answers without usage may have hidden reasoning, like those of a stream whose caller left. */
const chargedResult = async (
  app: App,
  charge: BatchCharge,
  { usage, answers, unreported, metered }: Total,
): Promise<CallResult> => {
  const estimated = unreported > 0
  const seen = { ...unseen, tokens: Math.round(metered / Math.max(1, unreported)) }
  const perAnswer = estimated ? await estimateHiddenReasoning(app, termsOf(charge), seen) : 0
  if (perAnswer === 0) return resultOf(charge, { usage, answers, estimated })
  const estimatedReasoning = perAnswer * unreported
  const withReasoning = { ...usage, reasoning: usage.reasoning + estimatedReasoning }
  return { ...resultOf(charge, { usage: withReasoning, answers, estimated }), estimatedReasoning }
}

/** Nothing is kept of the efforts of the requests but whether all turn reasoning off. */
const termsOf = ({
  row,
  draft: { model, outputMax, isReasoningOff },
}: BatchCharge): ReasoningTerms => ({
  request: isReasoningOff ? 'off' : 'unset',
  ...{ level: 'unset', budgetMax: undefined, outputMax },
  ...{ model, userId: row.user_id, reasonsByDefault: false },
})

const unseen = { visibleReasoning: 0, seconds: Number.POSITIVE_INFINITY }

type Reading = { batch: EndedBatch; api: BatchApi; file: ResultFile; totals: Totals }

const addFile = async (app: App, reading: Reading): Promise<void> => {
  const { batch, api, file, totals } = reading
  const format = api.formatOf(batch.object)
  if (!format) throw new Fault('upstream.invalid_response', { detail: 'a batch without endpoint' })
  const answer = await send(app, resultRequest(app, batch, file)).answer
  if (answer instanceof Fault) throw answer
  if (answer.status === 404 || answer.status === 410) {
    answer.drop()
    return addWhole(app, reading)
  }
  if (answer.status !== 200) {
    answer.drop()
    throw new Fault('upstream.failed', { detail: `results: ${answer.status}` })
  }
  const { provider } = batch.accountFor(file.kind).channel
  await readLines(decompressed(answer), line => {
    const { customId, body } = api.readResult(parseLine(line))
    if (body !== undefined) addResult(app, format, { customId, body }, totals, provider)
  })
}

const resultRequest = (app: App, { accountFor }: EndedBatch, { kind, pathSuffix }: ResultFile) =>
  accountRequest(app, accountFor(kind), {
    ...{ method: 'GET', pathSuffix, query: '', forwardedParams: new Set<string>() },
  })

const parseLine = (line: Buffer): BatchLine => {
  try {
    return JSON.parse(line.toString())
  } catch (cause) {
    throw new Fault('upstream.invalid_response', { cause, detail: 'a line of results' })
  }
}

type Result = { customId: string; body: unknown }

const addResult = (
  app: App,
  format: CallerFormat,
  { customId, body }: Result,
  totals: Totals,
  provider: Provider,
) => {
  const summary = format.readAnswer(Buffer.from(JSON.stringify(body)))
  if (!summary.ok) return addFailed(format, { customId, body }, totals)
  const isReported = typeof summary.usage === 'object'
  if (!isReported)
    app.metrics.alarms.inc({ kind: summary.usage === 'broken' ? 'usage_broken' : 'usage_missing' })
  const usage = isReported
    ? (summary.usage as Usage)
    : { ...noUsage(), output: summary.meteredTokens }
  if (chargedModes(provider, {}, usage.served).length > 0)
    app.metrics.alarms.inc({ kind: 'price_mode' })
  add(totals, { customId, usage, estimated: !isReported })
}

/** An answer that ended early costs what the vendor reports for it. */
const addFailed = (format: CallerFormat, { customId, body }: Result, totals: Totals): void => {
  const { usage: field } = (body ?? {}) as { usage?: unknown }
  const usage = field ? format.decodeUsage(field) : undefined
  if (typeof usage === 'object') add(totals, { customId, usage, estimated: false })
}

const add = (
  totals: Totals,
  { customId, usage, estimated }: { customId: string; usage: Usage; estimated: boolean },
) => {
  const own = [...totals].filter(([{ draft }]) => draft.customIds?.includes(customId) ?? true)
  const found = own.filter(([{ draft }]) => inputTokens(usage) > draft.above).at(-1) ?? own[0]
  if (!found) return
  const [{ draft }, total] = found
  const prompt = estimated ? (draft.promptTokens ?? 0) : 0
  total.usage = addUsage(total.usage, { ...usage, input: usage.input + prompt })
  total.answers += 1
  if (!estimated) return
  total.unreported += 1
  total.metered += usage.output
}

/** A file of results that is gone: the vendor's own sum, at the price of short prompts. */
const addWhole = (app: App, { api, batch, totals }: Reading) => {
  app.metrics.alarms.inc({ kind: 'usage_missing' })
  const usage = api.readTotal(batch.object)
  const [first] = totals.values()
  if (!usage || !first || first.answers > 0) return
  first.usage = usage
  first.answers = 1
}

/** Makes the results visible: their owner is recorded, and the batch is polled no more. */
const finishBatch = async (
  app: App,
  batch: EndedBatch,
  charges: readonly BatchCharge[],
): Promise<void> => {
  const { row, object } = batch
  const files = await resultObjects(app, batch)
  await app.callDb.transaction().execute(async tx => {
    for (const file of files) await storedResources.save(tx, file)
    const fields = { object_sealed: sealObject(app, object), expires_at: null }
    await storedResources.updateObject(tx, row.id, fields)
    await storedResources.endPolling(tx, row.id)
    for (const each of charges) await backgroundCalls.remove(tx, each.row.request_id)
  })
}

const objectMax = 64 * 1024

/** The vendor's files of results as objects of the batch's owner. */
const resultObjects = async (app: App, batch: EndedBatch) => {
  const { row, object, accountFor } = batch
  const rows: storedResources.StoredResource[] = []
  for (const { kind, id } of batchApiOf(row.kind).resultFiles(object)) {
    if (kind !== 'files') continue
    const account = accountFor(kind)
    const request = resultRequest(app, batch, { kind, id, pathSuffix: `/${id}` })
    const { status, body } = await fetchSmall(app, request, { sizeMax: objectMax })
    const file = status === 200 ? readObject(kind, body) : undefined
    const placement = { kind, userId: row.user_id, requestId: app.ledger.nextId(), account }
    rows.push(rowOf(app, placement, file ?? { id, object: 'file', purpose: 'batch_output' }))
  }
  return rows
}

/** Ends a batch whose results will never be known. Nothing of it is charged. */
export const giveUpBatch = async (
  app: App,
  row: storedResources.StoredResource,
  reason: string,
): Promise<void> => {
  app.log.error({ batch: row.id, channel: row.channel_id, reason }, 'a batch is lost')
  app.metrics.alarms.inc({ kind: 'background_lost' })
  for (const { row: charge } of await listCharges(app, row.id)) {
    await recoverDetached(app, charge.request_id)
    await backgroundCalls.remove(app.callDb, charge.request_id)
  }
  await storedResources.endPolling(app.callDb, row.id)
}
