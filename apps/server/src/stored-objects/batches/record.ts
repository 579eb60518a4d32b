import { Fault } from '@hub/contract'
import type { StoredObject } from '@hub/providers'
import {
  type DetachedCall,
  type DetachedDraft,
  detachedCall,
} from '../../billing/calls/detached.ts'
import type { CallResult } from '../../billing/open-hold.ts'
import type { App } from '../../core/app.ts'
import { nowSeconds } from '../../core/app.ts'
import * as backgroundCalls from '../../db/queries/background-calls.ts'
import * as storedResources from '../../db/queries/stored-resources.ts'
import type { BackgroundCallsTable } from '../../db/tables/responses.ts'
import type { AuthenticatedContext } from '../../relay/context.ts'
import type { StorageAccount } from '../../relay/upstream/accounts/account-request.ts'
import { rowOf } from '../records.ts'
import type { BatchHold } from './hold.ts'

/** The fields of a later charge that are known when the batch begins. */
type BatchDraft = DetachedDraft & {
  model: string
  above: number
  ratio: string
  /** The prompt of one request on the average; absent in batches of an earlier release. */
  promptTokens?: number
  /** The output limit of one request on the average; absent where none names a limit. */
  outputMax?: number
  /** All requests turn reasoning off. */
  isReasoningOff?: true
  /** The requests of this model; absent where the batch has one model. */
  customIds?: readonly string[]
}

/** One charge of a batch: the answers of a model whose prompts are in one tier. */
export type BatchCharge = { row: BackgroundCallsTable; draft: BatchDraft }

/** At most the models of a batch times the tiers of a price. */
const chargesMax = 200
const firstPollSeconds = 2
/** The batch is polled; its charges are not. */
const never = Number.MAX_SAFE_INTEGER

const chargeId = (batchId: string, index: number): string => `${batchId}#${index}`

type NewBatch = {
  kind: 'batches' | 'message-batches'
  account: StorageAccount
  object: StoredObject
  holds: readonly BatchHold[]
  ratio: string
}

/** Records a batch and detaches its holds. Everything is durable before the caller learns its id. */
export const recordBatch = async (
  app: App,
  context: AuthenticatedContext,
  batch: NewBatch,
): Promise<void> => {
  const { kind, account, object, holds } = batch
  const { caller, id: requestId } = context
  const placement = { kind, userId: caller.userId, requestId, account }
  const now = nowSeconds(app)
  const isShared = new Set(holds.map(each => each.group.model)).size > 1
  const write = () =>
    app.callDb.transaction().execute(async tx => {
      const row = { ...rowOf(app, placement, object), run_at: now + firstPollSeconds }
      if (!(await storedResources.save(tx, row)))
        throw new Fault('upstream.invalid_response', { detail: 'a batch with a repeated id' })
      for (const [index, { group, price, requestId: id }] of holds.entries())
        await backgroundCalls.add(tx, {
          request_id: id,
          answer_id: chargeId(object.id, index),
          user_id: caller.userId,
          token_id: caller.tokenId,
          channel_id: account.channel.id,
          credential: app.seal.fingerprint('channel-key', account.credential),
          price_id: price.priceId,
          receipt_draft: JSON.stringify(draftOf(context, batch, group, isShared)),
          attempts: 0,
          run_at: never,
          created_at: now,
        })
    })
  for (const [index, { hold, group }] of holds.entries())
    await hold.detach(group.model, index === 0 ? write : async () => {})
}

const draftOf = (
  { ip, caller }: AuthenticatedContext,
  { ratio, holds }: NewBatch,
  { model, above, customIds, promptTokens, requests }: BatchHold['group'],
  isShared: boolean,
): BatchDraft => ({
  ...{ ip, username: caller.username, tokenName: caller.tokenName, group: caller.group },
  billingTag: caller.billingTag || undefined,
  ...{ model, above, ratio, ...(isShared && { customIds }) },
  promptTokens: Math.ceil(promptTokens / Math.max(1, requests)),
  ...limitsOf(holds.map(each => each.group).filter(each => each.model === model)),
})

/** The limits of a model's requests. An answer without usage may be charged in another tier than that of its prompt. */
const limitsOf = (
  groups: readonly BatchHold['group'][],
): Pick<BatchDraft, 'outputMax' | 'isReasoningOff'> => {
  const requests = groups.reduce((sum, each) => sum + each.requests, 0)
  const output = groups.reduce((sum, each) => sum + each.usage.output, 0)
  return {
    ...(groups.some(each => each.hasLimits) && { outputMax: Math.ceil(output / requests) }),
    ...(!groups.some(each => each.mayReason) && { isReasoningOff: true }),
  }
}

/** The charges of a batch that are not posted yet. */
export const listCharges = async (app: App, batchId: string): Promise<BatchCharge[]> => {
  const ids = Array.from({ length: chargesMax }, (_, index) => chargeId(batchId, index))
  const rows = await backgroundCalls.listByAnswers(app.callDb, ids)
  return rows.map(row => ({ row, draft: JSON.parse(row.receipt_draft) as BatchDraft }))
}

export const detachedOf = ({ row, draft }: BatchCharge): DetachedCall =>
  detachedCall(row.request_id, row, draft)

export const resultOf = (
  { row, draft: { model, ratio } }: BatchCharge,
  { usage, answers, estimated }: Pick<CallResult, 'usage' | 'estimated'> & { answers: number },
): CallResult => ({
  model,
  requestedModel: model,
  channelId: row.channel_id,
  usage,
  estimated,
  finish: 'complete',
  stream: false,
  firstByteMs: 0,
  warnings: [`gateway: batch, ${answers} answers at ${ratio} of the price`],
})
