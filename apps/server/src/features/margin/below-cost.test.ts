import { beforeAll, expect, it } from 'vitest'
import { onBothEngines, type TestApp } from '../../../test/harness.ts'
import sumUsage from '../../jobs/sum-usage.ts'

let hub: TestApp
const one = 10_000_000_000

const call = async (model: string, quota: number, cost: number | null) => {
  await hub.app.db
    .insertInto('logs')
    .values({
      ...{ id: hub.app.ledger.nextId(), user_id: 1, type: 2, content: '', username: 'u' },
      ...{ created_at: Math.floor(hub.clock.now / 1000) - 100, token_name: 'k', quota },
      ...{ model_name: model, prompt_tokens: 1, completion_tokens: 1, channel_id: 4 },
      ...{ request_time: 9, is_stream: 0, source_ip: '', metadata: '{}' },
      ...{ cost, cost_version: null, cost_kind: cost === null ? null : 1 },
    })
    .execute()
}

const advance = async (seconds: number) => {
  hub.clock.now += seconds * 1000
  await sumUsage.run(hub.app)
}

const notices = async () => {
  const rows = await hub.app.db
    .selectFrom('notifications')
    .select('facts')
    .where('event', '=', 'model.below_cost')
    .orderBy('id')
    .execute()
  return rows.map(({ facts }) => JSON.parse(facts))
}

const problems = async () => {
  const { problems: all } = (await hub.root.get('/api/operations/attention')).body.data
  return all.filter((each: { kind: string }) => each.kind === 'below_cost')
}

onBothEngines('models below cost', open => {
  beforeAll(async () => {
    hub = await open()
    hub.clock.now = Date.parse('2026-03-03T10:07:00Z')
    await hub.root.put('/api/option/', { key: 'TimeZone', value: 'UTC' })
    const target = {
      ...{ name: 'Operators', type: 'webhook', events: ['model.below_cost'], enabled: true },
      config: { url: 'https://hooks.example/x', secret: 'a secret of 16 characters' },
    }
    const { status, text } = await hub.root.post('/api/notification/', target)
    expect(status, text).toBe(200)
  })

  it('a model that loses is named with its loss, and one that earns, is unknown or loses less than a cent is not', async () => {
    await call('loser', 500_000, 3 * one)
    await call('winner', 500_000, one / 2)
    await call('unknown', 500_000, null)
    await call('small', 0, one / 200)
    await advance(1_800)
    expect(await problems()).toEqual([
      expect.objectContaining({ id: 4, name: 'loser', keys: ['#4'], detail: '2.00' }),
    ])
    expect(await notices()).toEqual([
      expect.objectContaining({ model: 'loser', loss: '2.00', revenue: '1.00', cost: '3.00' }),
    ])
    const metrics = await hub.app.metrics.readRegistry().metrics()
    expect(metrics).toContain('hub_models_below_cost 1')
    expect(metrics).toContain('hub_cost_usd{channel="4"} 3.505')
  })

  it('it is reported once until it has recovered, and again after that', async () => {
    await call('loser', 0, one)
    await advance(1_800)
    expect(await notices()).toHaveLength(1)
    await call('loser', 5_000_000, one)
    await advance(1_800)
    expect(await problems()).toEqual([])
    await call('loser', 0, 20 * one)
    await advance(1_800)
    expect(await notices()).toHaveLength(2)
  })
})
