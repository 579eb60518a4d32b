import type { Usage } from '@hub/dialects'
import { expect, it } from 'vitest'
import { type BillingApp, onEachEngine } from '../../../test/billing-app.ts'
import { audit } from '../../auditor/audit.ts'
import type { Call } from '../../core/call.ts'
import * as accountRows from '../../db/queries/accounts.ts'
import * as background from '../../db/queries/background-calls.ts'
import type { CallResult, Reservation } from '../open-hold.ts'
import { priceCache } from '../price-cache.ts'
import { sweep } from '../sweep.ts'
import { usageOf } from '../usage.ts'
import { withHold } from '../with-hold.ts'
import { type DetachedCall, recoverDetached, settleDetached, voidDetached } from './detached.ts'
import { writeReceipt } from './receipt.ts'

type OpenBillingApp = () => Promise<BillingApp>

const reservation: Reservation = {
  models: ['m'],
  promptTokens: 100,
  outputMax: 100,
  n: 1,
  stream: false,
}
const makeResult = (usage: Partial<Usage>): CallResult => ({
  model: 'm',
  requestedModel: 'm',
  channelId: 3,
  usage: usageOf(usage),
  estimated: false,
  finish: 'complete',
  stream: false,
  firstByteMs: 12,
  warnings: [],
})
const account = async ({ app }: BillingApp, call: Call) => {
  const row = await accountRows.find(app.db, call.caller.userId)
  return row && { balance: row.balance, held: row.held, used: row.used, requests: row.requests }
}
const expectCleanAudit = async (billing: BillingApp) =>
  expect((await audit(billing.source)).results.flatMap(each => each.findings)).toEqual([])

/** A call that has ended while its answer is still being made. */
const detachCall = async (billing: BillingApp, call: Call): Promise<DetachedCall> => {
  const createdAt = billing.clock.seconds
  let detached: DetachedCall | undefined
  await withHold(billing.app, call, reservation, held =>
    held.detach('m', async priceId => {
      detached = { call, priceId, createdAt }
      await background.add(billing.app.db, {
        request_id: call.id,
        answer_id: `resp_${call.id}`,
        user_id: call.caller.userId,
        token_id: call.caller.tokenId,
        channel_id: 3,
        credential: '',
        price_id: priceId,
        receipt_draft: '{}',
        attempts: 0,
        run_at: createdAt,
        created_at: createdAt,
      })
    }),
  )
  if (!detached) throw new Error('the hold was not detached')
  return detached
}

const testSettling = (open: OpenBillingApp) => {
  it('a detached hold survives sweeps and is settled once at the price of its admission', async () => {
    const billing = await open()
    await billing.price({ model: 'm', input: '1', output: '2' })
    await priceCache(billing.app).load()
    const call = await billing.call(100_000)
    const detached = await detachCall(billing, call)
    const held = (await account(billing, call))?.held ?? 0
    expect(held).toBeGreaterThan(0)

    billing.clock.seconds += 3_600
    await sweep(billing.app)
    expect(await account(billing, call)).toEqual({ balance: 100_000, held, used: 0, requests: 0 })
    await expectCleanAudit(billing)

    await billing.price({ model: 'm', input: '50', output: '50' })
    await priceCache(billing.app).load()
    const result = makeResult({ input: 10, output: 20 })
    await Promise.all([
      settleDetached(billing.app, detached, result),
      settleDetached(billing.app, detached, result),
    ])
    billing.clock.seconds += 60
    await settleDetached(billing.app, detached, result)
    await background.remove(billing.app.db, call.id)
    expect(await account(billing, call)).toEqual({
      balance: 99_950,
      held: 0,
      used: 50,
      requests: 1,
    })
    const logs = await billing.app.db
      .selectFrom('logs')
      .select(['quota', 'created_at'])
      .where('id', '=', call.id)
      .execute()
    expect(logs).toEqual([{ quota: 50, created_at: detached.createdAt }])
    await expectCleanAudit(billing)
  })
}

const testOtherEnds = (open: OpenBillingApp) => {
  it('a voided detached call is released once and never charged', async () => {
    const billing = await open()
    await billing.price({ model: 'm', input: '1', output: '2' })
    await priceCache(billing.app).load()
    const call = await billing.call(1_000)
    await detachCall(billing, call)
    await voidDetached(billing.app, call.id)
    await voidDetached(billing.app, call.id)
    await background.remove(billing.app.db, call.id)
    expect(await account(billing, call)).toEqual({ balance: 1_000, held: 0, used: 0, requests: 0 })
    await expectCleanAudit(billing)
  })

  it('a recovered detached call is charged once at its last checkpoint', async () => {
    const billing = await open()
    await billing.price({ model: 'm', input: '1', output: '2' })
    await priceCache(billing.app).load()
    const call = await billing.call(1_000)
    await detachCall(billing, call)
    const price = priceCache(billing.app).find('m', call.caller.group)!
    const usage = usageOf({ input: 10, output: 5 })
    const receipt = { usage, model: 'm', estimated: true, finish: 'lost' } as const
    await billing.app.ledger.submit({
      ...{ kind: 'checkpoint', id: call.id, accrued: price.cost(usage), want: 0 },
      usage: writeReceipt(price, receipt),
    })
    await recoverDetached(billing.app, call.id)
    await recoverDetached(billing.app, call.id)
    await background.remove(billing.app.db, call.id)
    expect(await account(billing, call)).toEqual({ balance: 980, held: 0, used: 20, requests: 1 })
    await expectCleanAudit(billing)
  })

  it('a hold is released if its detachment cannot be written', async () => {
    const billing = await open()
    await billing.price({ model: 'm', input: '1', output: '2' })
    await priceCache(billing.app).load()
    const call = await billing.call(1_000)
    const failing = withHold(billing.app, call, reservation, held =>
      held.detach('m', () => Promise.reject(new Error('the disk is full'))),
    )
    await expect(failing).rejects.toThrow('full')
    expect(await account(billing, call)).toMatchObject({ balance: 1_000, held: 0 })
    await expectCleanAudit(billing)
  })

  it('a charge beyond the hold takes the balance, and the rest is a shortfall', async () => {
    const billing = await open()
    await billing.price({ model: 'm', input: '1', output: '2' })
    await priceCache(billing.app).load()
    const call = await billing.call(1_000)
    const detached = await detachCall(billing, call)
    const result = makeResult({ input: 10, output: 2_000 })
    await settleDetached(billing.app, detached, result)
    await settleDetached(billing.app, detached, result)
    await background.remove(billing.app.db, call.id)
    expect(await account(billing, call)).toEqual({ balance: 0, held: 0, used: 1_000, requests: 1 })
    await expectCleanAudit(billing)
  })
}

onEachEngine(open => {
  testSettling(open)
  testOtherEnds(open)
})
