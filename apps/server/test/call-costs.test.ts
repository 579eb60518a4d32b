import { defaultCostList } from '@hub/contract'
import { beforeAll, expect, it } from 'vitest'
import type { Play } from '../../../test/upstream/start.ts'
import type { Turn } from '../../../test/upstream/turn.ts'
import { onBothEngines } from './harness.ts'
import { answerJson, type RelayHub, useRelayHub } from './relay-hub.ts'

let hub: RelayHub

const list = {
  ...defaultCostList,
  currency: 'CNY',
  prices: [{ model: 'bought', type: 'tokens', input: '2', output: '8' }],
}

const addChannel = async (
  models: string,
  mapping: Record<string, string>,
  body?: object,
  fields: object = {},
) => {
  await hub.addChannel(8, models, { model_mapping: JSON.stringify(mapping), ...fields })
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

const usage = { prompt_tokens: 1_001, completion_tokens: 11, total_tokens: 1_012 }
const answer = (turn: Turn, more: object = {}, content = 'ok') => {
  const message = { role: 'assistant', content }
  answerJson(turn, {
    choices: [{ index: 0, message, finish_reason: 'stop' }],
    usage: { ...usage, ...more },
  })
}

const post = async (model: string, more: object = {}) => {
  const messages = [{ role: 'user', content: 'hi' }]
  const body = { model, messages, max_tokens: 20, ...more }
  const response = await hub.post('/v1/chat/completions', body)
  return { status: response.status, text: await response.text() }
}

const lastLog = () =>
  hub.app.app.db
    .selectFrom('logs')
    .selectAll()
    .where('type', '=', 2)
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirstOrThrow()

const call = async (model: string) => {
  const { status, text } = await post(model)
  expect(status, text).toBe(200)
  const log = await lastLog()
  const posting = await hub.app.app.db
    .selectFrom('transfers')
    .select('usage')
    .where('id', '=', log.id)
    .executeTakeFirstOrThrow()
  return { log, receipt: JSON.parse(posting.usage) }
}

const attempts = () =>
  hub.app.app.db.selectFrom('attempt_costs').selectAll().orderBy('call_id').execute()

/** Two channels of one model at the same price. The first fails as `first` says. */
const addPair = async (model: string, first: Play) => {
  const ids: number[] = []
  for (const [name, priority] of [
    ['first', 2],
    ['second', 1],
  ] as const) {
    const fields = { name, priority, base_url: `${hub.upstream.url}/${name}` }
    ids.push(await addChannel(model, { [model]: '+bought' }, list, fields))
  }
  hub.upstream.play('bought', turn =>
    turn.served.channel === 'first' ? first(turn) : answer(turn),
  )
  return ids
}

const testCosts = () => {
  it('the log row and the receipt of a call hold what it costs the operator', async () => {
    await addChannel('sold', { sold: '+bought' }, list)
    hub.upstream.play('bought', turn => answer(turn))
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
    hub.upstream.play('unknown', turn => answer(turn))
    const { log, receipt } = await call('unknown')
    expect(log).toMatchObject({ cost: null, cost_version: null, cost_kind: null })
    expect(receipt.cost).toBeUndefined()
  })

  it('the vendor own figure counts where its answer has one, and stays out of the usage', async () => {
    await addChannel('routed', {}, { ...list, currency: null })
    hub.upstream.play('routed', turn => answer(turn, { cost: 0.00014, is_byok: false }))
    const { log, receipt } = await call('routed')
    expect(log).toMatchObject({ cost: 1_400_000, cost_version: null, cost_kind: 1 })
    expect(receipt.cost).toEqual({
      ...{ amount: '0.00014', currency: 'USD', version: null, kind: 'vendor' },
    })
    expect([log.metadata, JSON.stringify(receipt.usage)].join()).not.toContain('cost')
  })
}

const testAttempts = () => {
  it.each([
    [
      'an answer without output is billed as it says',
      (turn: Turn) => answer(turn, { completion_tokens: 0, total_tokens: 1_001 }, ''),
      { cost: 20_020_000, cost_kind: 2 },
    ],
    [
      'a connection that breaks after the request is billed by an estimate',
      (turn: Turn) => void turn.response.destroy(),
      { cost_kind: 3 },
    ],
    [
      'an answer of status 200 that is no answer is billed by an estimate',
      (turn: Turn) => answerJson(turn, { hello: 'world' }),
      { cost_kind: 3 },
    ],
  ] as [string, Play, object][])(
    '%s, and the call has its own cost',
    async (title, first, cost) => {
      const model = `pair ${title.length}`.replace(' ', '-')
      const before = (await attempts()).length
      const [channel_id] = await addPair(model, first)
      const { log } = await call(model)
      expect(log.cost).toBe(20_900_000)
      const noted = (await attempts()).slice(before)
      expect(noted).toMatchObject([{ call_id: log.id, attempt: 1, channel_id, ...cost }])
      expect(Number(noted[0]?.cost)).toBeGreaterThan(0)
    },
  )

  it('a refusal with an error status costs nothing', async () => {
    const before = (await attempts()).length
    await addPair('refused', turn => answerJson(turn, { error: { message: 'busy' } }, 503))
    expect((await call('refused')).log.cost).toBe(20_900_000)
    expect((await attempts()).length).toBe(before)
  })

  it('a call without an answer is free for its caller, and its attempts cost the operator', async () => {
    const before = (await attempts()).length
    await addPair('lost', turn => void turn.response.destroy())
    hub.upstream.play('bought', turn => void turn.response.destroy())
    const balance = async () =>
      (await hub.app.app.db.selectFrom('accounts').selectAll().execute()).map(each => each.balance)
    const balances = await balance()
    expect((await post('lost')).status).toBeGreaterThan(499)
    expect(await balance()).toEqual(balances)
    const noted = (await attempts()).slice(before)
    expect(noted).toMatchObject([{ attempt: 1 }, { attempt: 2 }])
    expect(noted.map(each => each.cost_kind)).toEqual([3, 3])
  })
}

onBothEngines('costs of calls', open => {
  const opened = useRelayHub({}, open)
  beforeAll(() => {
    hub = opened
  })
  beforeAll(() =>
    hub.app.root.put('/api/option/', { key: 'EmptyAnswerRetryEnabled', value: 'true' }),
  )
  testCosts()
  testAttempts()
})
