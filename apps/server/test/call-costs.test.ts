import { defaultCostList } from '@hub/contract'
import { beforeAll, expect, it } from 'vitest'
import { onBothEngines } from './harness.ts'
import { answerJson, type RelayHub, useRelayHub } from './relay-hub.ts'

let hub: RelayHub

const list = {
  ...defaultCostList,
  currency: 'CNY',
  prices: [{ model: 'bought', type: 'tokens', input: '2', output: '8' }],
}

const addChannel = async (models: string, mapping: Record<string, string>, body?: object) => {
  await hub.addChannel(8, models, { model_mapping: JSON.stringify(mapping) })
  const { db, changes } = hub.app.app
  const { id } = await db
    .selectFrom('channels')
    .select('id')
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirstOrThrow()
  if (!body) return id
  const row = { channel_id: id, valid_from: 1, body: JSON.stringify(body), created_by: 1 }
  await db.insertInto('cost_lists').values(row).execute()
  await changes.notify(db, 'costs')
  await changes.sync()
  return id
}

const call = async (model: string) => {
  hub.upstream.play(model === 'sold' ? 'bought' : model, turn => {
    const message = { role: 'assistant', content: 'ok' }
    answerJson(turn, {
      choices: [{ index: 0, message, finish_reason: 'stop' }],
      usage: { prompt_tokens: 1_001, completion_tokens: 11, total_tokens: 1_012 },
    })
  })
  const messages = [{ role: 'user', content: 'hi' }]
  const response = await hub.post('/v1/chat/completions', { model, messages, max_tokens: 20 })
  expect(response.status, await response.text()).toBe(200)
  const { db } = hub.app.app
  const log = await db
    .selectFrom('logs')
    .selectAll()
    .where('type', '=', 2)
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirstOrThrow()
  const posting = await db
    .selectFrom('transfers')
    .select('usage')
    .where('id', '=', log.id)
    .executeTakeFirstOrThrow()
  return { log, receipt: JSON.parse(posting.usage) }
}

const testCosts = () => {
  it('the log row and the receipt of a call hold what it costs the operator', async () => {
    await addChannel('sold', { sold: '+bought' }, list)
    const { log, receipt } = await call('sold')
    expect(log).toMatchObject({ cost: 20_900_000, cost_kind: 2 })
    const { cost_version } = log
    expect(receipt.cost).toEqual({
      ...{ amount: '0.00209', currency: 'CNY', version: cost_version, kind: 'computed' },
    })
    const version = await hub.app.app.db
      .selectFrom('cost_versions')
      .selectAll()
      .where('id', '=', Number(cost_version))
      .executeTakeFirstOrThrow()
    expect(version.currency).toBe('CNY')
  })

  it('a call has no cost where nobody knows a price', async () => {
    await addChannel('unknown', {})
    const { log, receipt } = await call('unknown')
    expect(log).toMatchObject({ cost: null, cost_version: null, cost_kind: null })
    expect(receipt.cost).toBeUndefined()
  })
}

onBothEngines('costs of calls', open => {
  const opened = useRelayHub({}, open)
  beforeAll(() => {
    hub = opened
  })
  testCosts()
})
