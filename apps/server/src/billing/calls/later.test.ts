import type { Usage } from '@hub/dialects'
import { expect, it } from 'vitest'
import { type MoneyApp, onEachEngine } from '../../../test/money-app.ts'
import { audit } from '../../auditor/audit.ts'
import type { Call } from '../../core/call.ts'
import * as accountRows from '../../db/queries/accounts.ts'
import * as background from '../../db/queries/background.ts'
import { priceBook } from '../book.ts'
import type { Ending, Reservation } from '../held.ts'
import { holding } from '../hold.ts'
import { sweep } from '../sweep.ts'
import { usageOf } from '../usage.ts'
import { type LeftCall, noteDelivered, recoverLater, settleLater, voidLater } from './later.ts'

const asked: Reservation = {
  models: ['m'],
  promptTokens: 100,
  outputMax: 100,
  n: 1,
  stream: false,
}
const ended = (usage: Partial<Usage>): Ending => ({
  model: 'm',
  requestedModel: 'm',
  channelId: 3,
  usage: usageOf(usage),
  estimated: false,
  finish: 'complete',
  stream: false,
  firstByteMs: 12,
  notes: [],
})
const account = async ({ app }: MoneyApp, call: Call) => {
  const row = await accountRows.find(app.db, call.caller.userId)
  return row && { balance: row.balance, held: row.held, used: row.used, requests: row.requests }
}
const clean = async (money: MoneyApp) =>
  expect((await audit(money.source)).verdicts.flatMap(each => each.findings)).toEqual([])

/** A call that has ended though its answer has not. */
const leave = async (money: MoneyApp, call: Call): Promise<LeftCall> => {
  const createdAt = money.clock.seconds
  let left: LeftCall | undefined
  await holding(money.app, call, asked, held =>
    held.leave('m', async priceId => {
      left = { call, priceId, createdAt }
      await background.add(money.app.db, {
        request_id: call.id,
        answer_id: `resp_${call.id}`,
        user_id: call.caller.userId,
        token_id: call.caller.tokenId,
        channel_id: 3,
        credential: '',
        price_id: priceId,
        told: '{}',
        attempts: 0,
        run_at: createdAt,
        created_at: createdAt,
      })
    }),
  )
  if (!left) throw new Error('nothing was left')
  return left
}

onEachEngine(open => {
  it('a hold that was left stays open, whoever sweeps, until it is settled once at the price of its admission', async () => {
    const money = await open()
    await money.price({ model: 'm', input: '1', output: '2' })
    await priceBook(money.app).load()
    const call = await money.call(100_000)
    const left = await leave(money, call)
    const held = (await account(money, call))?.held ?? 0
    expect(held).toBeGreaterThan(0)

    money.clock.seconds += 3_600
    await sweep(money.app)
    expect(await account(money, call)).toEqual({ balance: 100_000, held, used: 0, requests: 0 })
    await clean(money)

    await money.price({ model: 'm', input: '50', output: '50' })
    await priceBook(money.app).load()
    const ending = ended({ input: 10, output: 20 })
    await Promise.all([settleLater(money.app, left, ending), settleLater(money.app, left, ending)])
    money.clock.seconds += 60
    await settleLater(money.app, left, ending)
    await background.end(money.app.db, call.id)
    expect(await account(money, call)).toEqual({ balance: 99_950, held: 0, used: 50, requests: 1 })
    const logs = await money.app.db
      .selectFrom('logs')
      .select(['quota', 'created_at'])
      .where('id', '=', call.id)
      .execute()
    expect(logs).toEqual([{ quota: 50, created_at: left.createdAt }])
    await clean(money)
  })

  it('what used nothing gives everything back, also twice, and nothing is charged for it later', async () => {
    const money = await open()
    await money.price({ model: 'm', input: '1', output: '2' })
    await priceBook(money.app).load()
    const call = await money.call(1_000)
    await leave(money, call)
    await voidLater(money.app, call.id)
    await voidLater(money.app, call.id)
    await background.end(money.app.db, call.id)
    expect(await account(money, call)).toEqual({ balance: 1_000, held: 0, used: 0, requests: 0 })
    await clean(money)
  })

  it('what nobody ever learns the end of costs what was read of it, once', async () => {
    const money = await open()
    await money.price({ model: 'm', input: '1', output: '2' })
    await priceBook(money.app).load()
    const call = await money.call(1_000)
    const left = await leave(money, call)
    await noteDelivered(money.app, left, 'm', usageOf({ input: 10, output: 5 }))
    await recoverLater(money.app, call.id)
    await recoverLater(money.app, call.id)
    await background.end(money.app.db, call.id)
    expect(await account(money, call)).toEqual({ balance: 980, held: 0, used: 20, requests: 1 })
    await clean(money)
  })

  it('a hold whose leaving could not be written down is given back', async () => {
    const money = await open()
    await money.price({ model: 'm', input: '1', output: '2' })
    await priceBook(money.app).load()
    const call = await money.call(1_000)
    const failing = holding(money.app, call, asked, held =>
      held.leave('m', () => Promise.reject(new Error('the disk is full'))),
    )
    await expect(failing).rejects.toThrow('full')
    expect(await account(money, call)).toMatchObject({ balance: 1_000, held: 0 })
    await clean(money)
  })

  it('beyond its hold it takes what the balance covers, and the rest is a shortfall', async () => {
    const money = await open()
    await money.price({ model: 'm', input: '1', output: '2' })
    await priceBook(money.app).load()
    const call = await money.call(1_000)
    const left = await leave(money, call)
    const ending = ended({ input: 10, output: 2_000 })
    await settleLater(money.app, left, ending)
    await settleLater(money.app, left, ending)
    await background.end(money.app.db, call.id)
    expect(await account(money, call)).toEqual({ balance: 0, held: 0, used: 1_000, requests: 1 })
    await clean(money)
  })
})
