import type { Usage } from '@hub/dialects'
import { beforeAll, expect, it } from 'vitest'
import { onBothEngines, type TestApp, type TestUser } from '../../../test/harness.ts'
import { priceCache } from '../../billing/price-cache.ts'
import { usageOf } from '../../billing/usage.ts'
import { withHold } from '../../billing/with-hold.ts'
import type { Call } from '../../core/call.ts'
import * as tokenSpend from '../../db/queries/token-spend.ts'

let hub: TestApp
let user: TestUser
let other: TestUser
let call: Call
const again = (): Call => ({ ...call, id: hub.app.ledger.nextId() })
const charge = async (usage: Partial<Usage>, more: object = {}) => {
  const { app } = hub
  const one = again()
  const request = { models: ['m'], promptTokens: 1, outputMax: 1, n: 1, stream: false }
  await withHold(app, one, request, held =>
    held.settle({
      ...{ model: 'm', requestedModel: 'asked', channelId: 3, usage: usageOf(usage) },
      ...{ estimated: false, finish: 'complete', stream: false, firstByteMs: 1, warnings: [] },
      ...more,
    }),
  )
  return one.id
}
const receiptFor = (who: Pick<TestUser, 'get'>, id: number) => who.get(`/api/log/${id}/receipt`)

const contentAndAccessTests = () => {
  it('shows each class with its price and ratio, the sum, the rounding and the terms', async () => {
    const before = Math.floor(hub.clock.now / 1000)
    const id = await charge({ input: 101, cacheRead: 40, reasoning: 7, output: 3 })
    const { status, body } = await receiptFor(user, id)
    expect(status).toBe(200)
    expect(body.data).toMatchObject({
      ...{ id, model: 'm', requested_model: 'asked', type: 'tokens' },
      ...{ input: '2.5', output: '7.5', group_ratio: '0.3' },
      items: [
        { kind: 'input', side: 'input', count: 101, price: '2.5', ratio: '1', points: '75.75' },
        { kind: 'cacheRead', side: 'input', count: 40, price: '2.5', ratio: '0.1', points: '3' },
        { kind: 'output', side: 'output', count: 3, price: '7.5', ratio: '1', points: '6.75' },
        { kind: 'reasoning', side: 'output', count: 7, price: '7.5', ratio: '2', points: '31.5' },
      ],
      ...{ sum: '117', cost: 117, charged: 117, shortfall: 0, estimated: false },
      finish: 'complete',
      postings: [{ kind: 'request', at: before, amount: 117 }],
    })
    expect(body.data.version.since).toBeGreaterThan(before - 60)
    const log = (await user.get('/api/log/self')).body.data.data[0]
    expect(log).toMatchObject({ id, quota: 117 })
  })

  it('is open to its owner and to administrators, and to nobody else', async () => {
    const id = await charge({ input: 1 })
    expect((await receiptFor(other, id)).status).toBe(404)
    expect((await receiptFor(hub.guest(), id)).status).toBe(401)
    expect((await receiptFor(hub.root, id)).status).toBe(200)
    expect((await receiptFor(user, id + 1000)).status).toBe(404)
    // A grant is a posting, and no charge.
    const grant = await hub.app.db
      .selectFrom('transfers')
      .select('id')
      .where('credit', '=', user.id)
      .executeTakeFirstOrThrow()
    expect((await receiptFor(user, grant.id)).status).toBe(404)
    expect((await user.get('/api/log/-5/receipt')).status).toBe(400)
  })
}

const edgeCaseTests = () => {
  it('says what was estimated, what was rounded up, and what the balance did not cover', async () => {
    const least = await charge({ input: 1 }, { estimated: true, finish: 'caller-left' })
    const { body } = await receiptFor(user, least)
    expect(body.data).toMatchObject({ sum: '0.75', cost: 1, charged: 1, estimated: true })
    expect(body.data.finish).toBe('caller-left')

    const { balance } = await hub.app.db
      .selectFrom('accounts')
      .select('balance')
      .where('user_id', '=', user.id)
      .executeTakeFirstOrThrow()
    const beyond = await charge({ output: 1_000_000 })
    expect((await receiptFor(user, beyond)).body.data).toMatchObject({
      ...{ cost: 2_250_000, charged: balance, shortfall: 2_250_000 - balance },
    })
  })

  it('outlives its log row, and puts together what a takeover took and what came late', async () => {
    const { app } = hub
    await hub.root.post(`/api/user/quota/${user.id}`, { quota: 10_000, remark: 'more' })
    const late = again()
    const usage = JSON.stringify({
      ...{ usage: { input: 10 }, price: 1, ratio: '1', model: 'm', estimated: true },
      finish: 'lost',
    })
    const price = await app.db
      .selectFrom('transfers')
      .select('price_id')
      .where('kind', '=', 'request')
      .executeTakeFirstOrThrow()
    const posting = { debit: user.id, credit: -1, token_id: 900, channel_id: 0 }
    const rest = { ...posting, price_id: price.price_id }
    await app.db
      .insertInto('transfers')
      .values([
        { ...rest, id: late.id, at: 50, kind: 'request', source: `${late.id}`, amount: 5, usage },
        {
          ...rest,
          ...{ id: -late.id, at: 60, kind: 'late', source: `${late.id}`, amount: 10 },
          usage: JSON.stringify({ usage: { input: 20 }, model: 'm', finish: 'complete' }),
        },
      ])
      .execute()
    expect((await receiptFor(user, late.id)).body.data).toMatchObject({
      ...{ cost: 15, charged: 15, shortfall: 0, finish: 'complete', estimated: false },
      postings: [
        { kind: 'request', at: 50, amount: 5 },
        { kind: 'late', at: 60, amount: 10 },
      ],
    })
  })
}

onBothEngines('receipts', open => {
  beforeAll(async () => {
    hub = await open()
    const { app } = hub
    user = await hub.person(1, { quota: 50_000 })
    other = await hub.person()
    const price = { model: 'm', type: 'tokens', channel_type: 14, input: 2.5, output: 7.5 }
    await hub.root.post('/api/prices/single', { ...price, extra_ratios: { reasoning_tokens: 2 } })
    await hub.root.put('/api/user_group/', { id: 1, ratio: 0.3 })
    await priceCache(app).load()
    const limits = { status: 1 as const, expiresAt: -1, remaining: null }
    await tokenSpend.create(app.db, { tokenId: 900, userId: user.id, ...limits })
    const caller = { userId: user.id, username: user.username, tokenId: 900, tokenName: 't' }
    call = {
      ...{ id: 0, ip: '', startedAt: 0 },
      caller: { ...caller, group: 'default' },
    } as unknown as Call
  })
  contentAndAccessTests()
  edgeCaseTests()
})
