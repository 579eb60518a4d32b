import { Fault } from '@hub/contract'
import { expect, it, vi } from 'vitest'
import { type BillingApp, onEachEngine } from '../../../../test/billing-app.ts'
import type { Call, CallAbort } from '../../../core/call.ts'
import * as accountRows from '../../../db/queries/accounts.ts'
import type { OpenHold, Reservation } from '../../open-hold.ts'
import { priceCache } from '../../price-cache.ts'
import { usageOf } from '../../usage.ts'
import { withHold } from '../../with-hold.ts'
import { openWhenFree, waitingCalls, waitingMax, wakeWaiting } from './held-waits.ts'

/** The balance covers one call. */
const reservation: Reservation = {
  ...{ models: ['m'], promptTokens: 100, outputMax: 900, n: 1, stream: false },
}
const balance = 1_500

const openWaiting = async (open: () => Promise<BillingApp>) => {
  const billing = await open()
  billing.change(settings => {
    settings.money.PreConsumedQuota = 0
    settings.money.HeldWaitSeconds = 40
  })
  await billing.price({ model: 'm' })
  await priceCache(billing.app).load()
  const first = await billing.call(balance)
  return { billing, first, ...holdOpen(billing, first) }
}

/** Runs a call until the test ends it. */
const holdOpen = ({ app }: BillingApp, call: Call, more: Partial<Reservation> = {}) => {
  const opened = Promise.withResolvers<OpenHold>()
  const end = Promise.withResolvers<void>()
  const ended = withHold(app, call, { ...reservation, ...more }, hold => {
    opened.resolve(hold)
    return end.promise
  })
  ended.catch(opened.reject)
  opened.promise.catch(() => undefined)
  return { opened: opened.promise, end: end.resolve, ended }
}

/** Stops the clock, so that no waiting call tries again by itself. Returns what starts it again. */
const stopClock = ({ app }: BillingApp) => {
  const { monotonic } = app
  const stoppedAt = monotonic()
  app.monotonic = () => stoppedAt
  return () => {
    app.monotonic = monotonic
  }
}

const untilWaiting = ({ app }: BillingApp, calls: number) =>
  vi.waitFor(() => expect(waitingCalls(app)).toBe(calls))

const settle = (hold: OpenHold) =>
  hold.settle({
    ...{ model: 'm', requestedModel: 'm', channelId: 3, usage: usageOf({ input: 100 }) },
    ...{ estimated: false, finish: 'complete', stream: false, firstByteMs: 1, warnings: [] },
  })

const testEnds = (open: () => Promise<BillingApp>) => {
  it.each(['settled', 'released'] as const)(
    'a call that only another hold keeps out opens when that one is %s',
    async how => {
      const { billing, first, opened, end, ended } = await openWaiting(open)
      const startClock = stopClock(billing)
      const hold = await opened
      const second = holdOpen(billing, billing.again(first))
      await untilWaiting(billing, 1)
      if (how === 'settled') await settle(hold)
      end()
      await ended
      expect((await second.opened).amount()).toBe(1_000)
      expect(waitingCalls(billing.app)).toBe(0)
      second.end()
      await second.ended
      startClock()
    },
  )

  it('a call opens although a hold of another node ended without a sign', async () => {
    const { billing, first, opened, end } = await openWaiting(open)
    await opened
    const second = holdOpen(billing, billing.again(first))
    await untilWaiting(billing, 1)
    await billing.app.ledger.submit({ kind: 'void', id: first.id })
    await second.opened
    second.end()
    end()
  })

  it('a hold that ends while a waiting call is being refused is not missed', async () => {
    const { billing, first, end } = await openWaiting(open)
    const startClock = stopClock(billing)
    let tries = 0
    const opened = await openWhenFree(billing.app, first, async () => {
      tries += 1
      if (tries === 2) wakeWaiting(billing.app, first.caller.userId)
      if (tries < 3) throw new Fault('quota.held')
      return tries
    })
    startClock()
    expect(opened).toBe(3)
    end()
  })

  it('twenty calls at once run one after another, and hold never more than the balance', async () => {
    const { billing, first, end } = await openWaiting(open)
    const startClock = stopClock(billing)
    const served: number[] = []
    const calls = Array.from({ length: 20 }, (_, at) =>
      withHold(billing.app, billing.again(first), reservation, async () => {
        served.push(at)
        expect((await accountRows.find(billing.app.db, first.caller.userId))?.held).toBe(1_000)
      }),
    )
    end()
    await Promise.all(calls)
    startClock()
    expect(served).toHaveLength(20)
    expect(waitingCalls(billing.app)).toBe(0)
  })
}

const testRefusals = (open: () => Promise<BillingApp>) => {
  it('a call that waited for as long as the setting says is refused as held', async () => {
    const { billing, first, opened, end } = await openWaiting(open)
    await opened
    const second = holdOpen(billing, billing.again(first))
    await untilWaiting(billing, 1)
    const { monotonic } = billing.app
    billing.app.monotonic = () => monotonic() + 41_000
    await expect(second.ended).rejects.toMatchObject({ code: 'quota.held', retryAfterSeconds: 1 })
    expect(waitingCalls(billing.app)).toBe(0)
    end()
  })

  it('a caller who leaves ends his wait, and nothing is held for him', async () => {
    const { billing, first, opened, end, ended } = await openWaiting(open)
    await opened
    const abort: { reason: undefined; onAbort?: (reason: string) => void } = { reason: undefined }
    const second = holdOpen(billing, { ...billing.again(first), abort: abort as CallAbort })
    await untilWaiting(billing, 1)
    await vi.waitFor(() => expect(abort.onAbort).toBeDefined())
    abort.onAbort!('caller-left')
    await expect(second.ended).rejects.toMatchObject({ code: 'upstream.broken' })
    expect(waitingCalls(billing.app)).toBe(0)
    end()
    await ended
    expect((await accountRows.find(billing.app.db, first.caller.userId))?.held).toBe(0)
  })

  it('a call that must not wait is refused at once, and so is one that the balance never covers', async () => {
    const { billing, first, opened, end } = await openWaiting(open)
    await opened
    const atOnce = holdOpen(billing, billing.again(first), { isRefusedAtOnce: true })
    await expect(atOnce.ended).rejects.toMatchObject({ code: 'quota.held' })
    const dear = holdOpen(billing, billing.again(first), { outputMax: 9_000 })
    await expect(dear.ended).rejects.toMatchObject({ code: 'quota.exhausted' })
    end()
  })

  it('no more calls of a payer wait than the limit, and another payer is not kept out', async () => {
    const { billing, first, opened, end } = await openWaiting(open)
    await opened
    const waiting = Array.from({ length: waitingMax.ofPayer }, () =>
      withHold(billing.app, billing.again(first), reservation, async () => 1),
    )
    await untilWaiting(billing, waitingMax.ofPayer)
    const next = holdOpen(billing, billing.again(first))
    await expect(next.ended).rejects.toMatchObject({ code: 'quota.held' })
    const other = holdOpen(billing, await billing.call(balance))
    await other.opened
    other.end()
    end()
    await Promise.all(waiting)
  })
}

onEachEngine(open => {
  testEnds(open)
  testRefusals(open)
})
