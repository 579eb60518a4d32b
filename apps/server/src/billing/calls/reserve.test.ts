import type { Usage } from '@hub/dialects'
import { expect, it } from 'vitest'
import { type BillingApp, onEachEngine } from '../../../test/billing-app.ts'
import { audit } from '../../auditor/audit.ts'
import * as accountRows from '../../db/queries/accounts.ts'
import type { CallResult, OutputBound, Reservation } from '../open-hold.ts'
import { priceCache } from '../price-cache.ts'
import { usageOf } from '../usage.ts'
import { withHold } from '../with-hold.ts'

const bound = (more: Partial<OutputBound> = {}): OutputBound => ({
  most: 20_000,
  unseen: 20_000,
  reasoning: 0,
  least: 4_096,
  ...more,
})
const whole = (more: Partial<Reservation> = {}): Reservation => ({
  models: ['m'],
  promptTokens: 100,
  outputMax: undefined,
  n: 1,
  stream: false,
  outputBound: bound(),
  ...more,
})
const result = (usage: Partial<Usage>, more: Partial<CallResult> = {}): CallResult => ({
  model: 'm',
  requestedModel: 'm',
  channelId: 3,
  usage: usageOf(usage),
  estimated: false,
  finish: 'complete',
  stream: false,
  firstByteMs: 1,
  warnings: [],
  ...more,
})
const openAtOne = async (open: () => Promise<BillingApp>) => {
  const billing = await open()
  billing.change(settings => {
    settings.money.PreConsumedQuota = 0
  })
  await billing.price({ model: 'm' })
  await priceCache(billing.app).load()
  return billing
}
const expectCleanAudit = async (billing: BillingApp) =>
  expect((await audit(billing.source)).results.flatMap(each => each.findings)).toEqual([])

const otherShortfalls = async ({ app }: BillingApp) => {
  const { values } = await app.metrics.shortfalls.get()
  return values.find(each => each.labels.kind === 'other')?.value ?? 0
}

const testCovered = (open: () => Promise<BillingApp>) => {
  it.each([
    ['covers the bound', 20_100, 20_100, undefined],
    ['covers the prompt and 4,096 tokens', 10_000, 10_000, 9_900],
    ['covers them exactly', 4_196, 4_196, 4_096],
  ] as const)('a balance that %s holds the whole answer', async (_, balance, held, limit) => {
    const billing = await openAtOne(open)
    const call = await billing.call(balance)
    await withHold(billing.app, call, whole(), async hold => {
      expect([hold.amount(), hold.outputLimit]).toEqual([held, limit])
      expect((await accountRows.find(billing.app.db, call.caller.userId))?.held).toBe(held)
      await hold.settle(result({ input: 100, output: limit ?? 20_000 }))
    })
    await expectCleanAudit(billing)
  })

  it('a balance that covers less is refused with the limit that it covers', async () => {
    const billing = await openAtOne(open)
    const call = await billing.call(4_195)
    await expect(withHold(billing.app, call, whole(), async () => 1)).rejects.toMatchObject({
      code: 'quota.exhausted',
      message: expect.stringContaining('4095 output tokens'),
    })
    await expectCleanAudit(billing)
  })

  it('the limit of several answers shares what is covered, and a cap covers like a balance', async () => {
    const billing = await openAtOne(open)
    const call = await billing.call(1_000_000, { cap: 10_000 })
    await withHold(billing.app, call, whole({ n: 2 }), async hold =>
      expect([hold.amount(), hold.outputLimit]).toEqual([10_000, 4_950]),
    )
  })

  it('a limit that the caller named is not lowered: a whole answer is refused with the number', async () => {
    const billing = await openAtOne(open)
    const call = await billing.call(10_000)
    const named = whole({ outputMax: 20_000 })
    await expect(withHold(billing.app, call, named, async () => 1)).rejects.toMatchObject({
      code: 'quota.exhausted',
      message: expect.stringContaining('9900 output tokens'),
    })
  })

  it('a stream of hidden reasoning under a named limit runs as the only one of its payer', async () => {
    const billing = await openAtOne(open)
    const call = await billing.call(10_000)
    const named = whole({ outputMax: 20_000, stream: true })
    await withHold(billing.app, call, named, async hold => {
      expect([hold.amount(), hold.outputLimit]).toEqual([4_196, undefined])
      const second = withHold(billing.app, billing.again(call), named, async () => 1)
      await expect(second).rejects.toMatchObject({ code: 'quota.held' })
      const settled = await hold.settle(result({ input: 100, reasoning: 19_000 }))
      expect(settled).toEqual({ charged: 10_000, shortfall: 9_100 })
    })
    expect(await otherShortfalls(billing)).toBe(0)
    await expectCleanAudit(billing)
  })
}

const testMany = (open: () => Promise<BillingApp>) => {
  it('five streams that hide nothing hold 4,096 tokens each', async () => {
    const billing = await openAtOne(open)
    const call = await billing.call(5 * 4_196)
    const seen = whole({
      outputMax: 64_000,
      stream: true,
      outputBound: bound({ unseen: undefined }),
    })
    const openMore = (left: number): Promise<unknown> =>
      left === 0
        ? Promise.resolve()
        : withHold(billing.app, billing.again(call), seen, () => openMore(left - 1))
    await openMore(5)
  })

  it('fifty whole answers at once: some are served, the rest may be repeated, nothing is below zero', async () => {
    const billing = await openAtOne(open)
    const call = await billing.call(50_000)
    const outcomes = await Promise.allSettled(
      Array.from({ length: 50 }, () =>
        withHold(billing.app, billing.again(call), whole(), hold =>
          hold.settle(result({ input: 100, output: hold.outputLimit ?? 20_000 })),
        ),
      ),
    )
    const refused = outcomes
      .filter(each => each.status === 'rejected')
      .map(each => each.reason.code)
    expect(refused.length).toBeLessThan(50)
    expect(refused.every(each => each === 'quota.held' || each === 'quota.exhausted')).toBe(true)
    expect(await otherShortfalls(billing)).toBe(0)
    await expectCleanAudit(billing)
  })

  it('REL-5 a count above four times the allowed output is charged at that bound, with an alarm', async () => {
    const billing = await openAtOne(open)
    // Several answers may have the output of one each.
    for (const n of [1, 3]) {
      const call = await billing.call(1_000_000)
      const named = whole({ n, outputMax: 64, outputBound: bound({ most: 64, unseen: 64 }) })
      const settled = await withHold(billing.app, call, named, hold =>
        hold.settle(result({ input: 100, output: 2_500_000 })),
      )
      expect(settled).toEqual({ charged: 100 + n * 4 * 64 + 1_024, shortfall: 0 })
    }
    const { values } = await billing.app.metrics.alarms.get()
    expect(values.find(each => each.labels.kind === 'usage_capped')?.value).toBe(2)
    await expectCleanAudit(billing)
  })
}

onEachEngine(open => {
  testCovered(open)
  testMany(open)
})
