import { setImmediate as turn } from 'node:timers/promises'
import { beforeAll, expect, it } from 'vitest'
import { onBothEnginesInLongRuns, type TestApp } from '../../../test/harness.ts'
import { priceCache } from '../../billing/price-cache.ts'
import { usageOf } from '../../billing/usage.ts'
import { idsPerEpoch } from '../../db/operations.ts'

const n = 4600
const days = 10

/** The usage of the nth call, varied over several models, groups and usage classes. */
const callAt = (at: number) => ({
  model: ['plain', 'turbo-4', 'once'][at % 3] as string,
  group: at % 2 ? 'vip' : 'default',
  usage: { input: 10 + (at % 97), cacheRead: at % 5, output: 1 + (at % 41) },
})

let hub: TestApp
let charged: bigint
const replay = async (input: object, who: Pick<TestApp['root'], 'post'> = hub.root) => {
  const models = new Map<string, { requests: number; charged: bigint; simulated: bigint }>()
  let pieces = 0
  let skipped = 0
  for (let cursor: string | null | undefined; cursor !== null; pieces += 1) {
    const { status, body } = await who.post('/api/simulator/', {
      ...input,
      ...(cursor ? { cursor } : {}),
    })
    expect(status).toBe(200)
    cursor = body.data.next
    skipped += body.data.skipped
    for (const each of body.data.models) {
      const sum = models.get(each.model) ?? { requests: 0, charged: 0n, simulated: 0n }
      models.set(each.model, {
        requests: sum.requests + each.requests,
        charged: sum.charged + BigInt(each.charged),
        simulated: sum.simulated + BigInt(each.simulated),
      })
    }
  }
  return { models, pieces, skipped }
}
const total = (models: Map<string, { charged: bigint; simulated: bigint }>) =>
  [...models.values()].reduce(
    (sum, each) => ({
      charged: sum.charged + each.charged,
      simulated: sum.simulated + each.simulated,
    }),
    { charged: 0n, simulated: 0n },
  )

const priceTests = () => {
  it('comes to exactly what was charged where nothing is changed, piece by piece', async () => {
    const { models, pieces, skipped } = await replay({ days })
    expect(total(models)).toEqual({ charged, simulated: charged })
    expect([...models.values()].reduce((sum, each) => sum + each.requests, 0)).toBe(n)
    expect(pieces).toBe(2)
    expect(skipped).toBe(0)
  })

  it('charges each request by the changed price and ratio, to the point', async () => {
    const changed = { type: 'tokens', model: 'plain', input: 0.45, output: 9.1 }
    const prices = [{ ...changed, extra_ratios: { cached_tokens: 0.25 } }]
    const groups = [{ symbol: 'vip', ratio: 1.35 }]
    const { models } = await replay({ days, prices, groups })
    const expected = new Map<string, bigint>()
    for (let at = 0; at < n; at += 1) {
      const { model, group, usage } = callAt(at)
      const ratio = group === 'vip' ? 135n : 100n
      // In hundred-thousandths of a point: two places of a price, one of its ratio, two of the group's.
      const tokens = {
        plain:
          45n * BigInt(usage.input * 100 + usage.cacheRead * 25) +
          910n * BigInt(usage.output * 100),
        'turbo-4':
          30n * BigInt((usage.input + usage.cacheRead) * 100) + 400n * BigInt(usage.output * 100),
        once: 200n * 1000n * 100n,
      }[model] as bigint
      const points = (tokens * ratio + 999_999n) / 1_000_000n
      expected.set(model, (expected.get(model) ?? 0n) + points)
    }
    for (const [model, points] of expected) expect(models.get(model)?.simulated).toBe(points)
    expect(total(models).charged).toBe(charged)
  })

  it('applies a changed prefix where no stored name is nearer, and a nearer one instead', async () => {
    const prefix = { type: 'times', input: 1, output: 1 }
    const far = await replay({ days, prices: [{ ...prefix, model: 'tur*' }] })
    expect(total(far.models).simulated).toBe(charged)
    const near = await replay({ days, prices: [{ ...prefix, model: 'turbo-*' }] })
    const turbo = near.models.get('turbo-4')
    expect(turbo?.simulated).not.toBe(turbo?.charged)
    // Every call costs 1,000 points, and 700 in the cheaper group.
    let [calls, vips] = [0n, 0n]
    for (let at = 1; at < n; at += 3)
      if (callAt(at).group === 'vip') vips += 1n
      else calls += 1n
    expect(turbo?.simulated).toBe(1000n * calls + 700n * vips)
  })

  it('looks back as far as it is told, and leaves out rows that carry no receipt', async () => {
    const row = {
      ...{ id: 5, user_id: 1, created_at: Math.floor(hub.clock.now / 1000) - 5 * 86_400, type: 2 },
      ...{ content: '', username: '', token_name: '', model_name: 'plain', quota: 9 },
      ...{ prompt_tokens: 0, completion_tokens: 0, channel_id: 1, request_time: 1, is_stream: 0 },
      ...{ source_ip: '', metadata: '{}' },
    }
    await hub.app.db.insertInto('logs').values(row).execute()
    expect((await replay({ days: 4 })).skipped).toBe(0)
    expect((await replay({ days: 6 })).skipped).toBe(1)
  })
}

const edgeCaseTests = () => {
  it('what a balance did not cover would not have been covered at a higher price either', async () => {
    const { app } = hub
    const priced = priceCache(app).find('plain', 'default')!
    const id = 7_001 * idsPerEpoch
    const at = Math.floor(hub.clock.now / 1000) - 20 * 86_400
    const log = {
      ...{ id, user_id: 1, created_at: at, type: 2, content: '', username: '', token_name: '' },
      ...{ model_name: 'plain', quota: 3, prompt_tokens: 10, completion_tokens: 0, channel_id: 1 },
      ...{ request_time: 1, is_stream: 0, source_ip: '', metadata: '{"group_name":"default"}' },
    }
    await app.db.insertInto('logs').values(log).execute()
    const receipt = { usage: { input: 10 }, price: priced.priceId, model: 'plain' }
    const posting = {
      ...{ id, at, kind: 'request', source: `${id}`, debit: 1, credit: -1, amount: 3, token_id: 1 },
      ...{ channel_id: 1, price_id: priced.priceId, usage: JSON.stringify(receipt) },
    }
    await app.db.insertInto('transfers').values(posting).execute()
    const plainAt = async (ratio: number, back: number) =>
      (await replay({ days: back, groups: [{ symbol: 'default', ratio }] })).models.get('plain')
    for (const [ratio, points] of [
      [1, 3n],
      [5, 3n],
      [0.1, 2n],
    ] as const) {
      const [far, near] = [await plainAt(ratio, 25), await plainAt(ratio, 10)]
      expect(far!.charged - near!.charged).toBe(3n)
      expect(far!.simulated - near!.simulated).toBe(points)
    }
  })

  it('is for administrators, and refuses what is no cursor', async () => {
    const user = await hub.person()
    expect((await user.post('/api/simulator/', { days: 1 })).status).toBe(403)
    expect((await hub.guest().post('/api/simulator/', { days: 1 })).status).toBe(401)
    const { status, body } = await hub.root.post('/api/simulator/', { days: 1, cursor: "1:2:3:4'" })
    expect([status, body.code]).toEqual([400, 'request.invalid'])
  })

  it('keeps nobody waiting: a caller is served while a long replay runs', async () => {
    let served = 0
    let isDone = false
    const serve = async () => {
      while (!isDone) {
        expect((await hub.guest().get('/api/status')).status).toBe(200)
        served += 1
        await turn()
      }
    }
    const serving = serve()
    await replay({ days }).finally(() => {
      isDone = true
    })
    await serving
    expect(served).toBeGreaterThan(5)
  })
}

onBothEnginesInLongRuns('the price simulator', open => {
  beforeAll(async () => {
    hub = await open()
    const { app } = hub
    const price = { type: 'tokens', channel_type: 0, output: 4 }
    await hub.root.post('/api/prices/single', { ...price, model: 'plain', input: 1.7 })
    await hub.root.post('/api/prices/single', { ...price, model: 'turbo*', input: 0.3 })
    await hub.root.post('/api/prices/single', { ...price, model: 'once', type: 'times', input: 2 })
    await hub.root.put('/api/user_group/', { id: 2, ratio: 0.7 })
    await priceCache(app).load()
    const now = Math.floor(hub.clock.now / 1000)
    const first = 7_000 * idsPerEpoch
    charged = 0n
    const logs = []
    const transfers = []
    for (let at = 0; at < n; at += 1) {
      const { model, group, usage } = callAt(at)
      const priced = priceCache(app).find(model, group)!
      const quota = priced.cost(usageOf(usage))
      charged += BigInt(quota)
      // Many rows share a second, so that a page ends in the middle of one.
      const created_at = now - Math.floor((n - at) / 50) * 60
      logs.push({
        ...{ id: first + at, user_id: 1, created_at, type: 2, content: '', username: 'root' },
        ...{ token_name: '', model_name: model, quota, prompt_tokens: 0, completion_tokens: 0 },
        ...{ channel_id: 1, request_time: 1, is_stream: 0, source_ip: '' },
        metadata: JSON.stringify({ group_name: group }),
      })
      transfers.push({
        ...{ id: first + at, at: created_at, kind: 'request', source: `${first + at}` },
        ...{ debit: 1, credit: -1, amount: quota, token_id: 1, channel_id: 1 },
        price_id: priced.priceId,
        usage: JSON.stringify({ usage, price: priced.priceId, model, finish: 'complete' }),
      })
    }
    for (let at = 0; at < n; at += 500) {
      await app.db
        .insertInto('logs')
        .values(logs.slice(at, at + 500))
        .execute()
      await app.db
        .insertInto('transfers')
        .values(transfers.slice(at, at + 500))
        .execute()
    }
  })
  priceTests()
  edgeCaseTests()
})
