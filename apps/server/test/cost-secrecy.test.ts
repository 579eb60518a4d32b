import { defaultCostList } from '@hub/contract'
import { beforeAll, expect, it } from 'vitest'
import { allEndpoints, callsOf } from '../../../test/security/contract-calls.ts'
import sumUsage from '../src/jobs/sum-usage.ts'
import { onBothEngines, type TestUser } from './harness.ts'
import { answerJson, type RelayHub, useRelayHub } from './relay-hub.ts'

let hub: RelayHub
let user: TestUser
let key: string
let callId: number

/** No other amount of the installation has these digits, and no other price this currency. */
const currency = 'XTS'
const amount = '73.9173917391'
/** The amount, its units of 10⁻¹⁰, and the same in USD at a rate of 1. */
const canaries = [currency, amount, amount.replace('.', ''), '73.917', '73.92', 'cost_kind']

const list = {
  ...defaultCostList,
  currency,
  prices: [{ model: 'bought', type: 'times', input: amount, output: '0' }],
}

const foundIn = (text: string): string[] => canaries.filter(each => text.includes(each))

/** Opens the hub, and makes a call of a user whose cost can be recognised. */
const prepare = async () => {
  const { app } = hub.app
  await hub.addChannel(8, 'bought')
  const { db, changes } = app
  const { id: channel_id } = await db.selectFrom('channels').select('id').executeTakeFirstOrThrow()
  const row = { channel_id, valid_from: 1, body: JSON.stringify(list), created_by: 1 }
  await db.insertInto('cost_lists').values(row).execute()
  const rate = { currency, valid_from: 1, rate: '1', created_by: 1 }
  await db.insertInto('exchange_rates').values(rate).execute()
  await changes.notify(db, 'costs')
  await changes.sync()
  user = await hub.app.person(1, { quota: 1_000_000, email: 'user@example.com' })
  const added = (await user.post('/api/token/', { name: 'own', unlimited_quota: true })).body.data
  key = added.key ?? (await user.post(`/api/token/${added.id}/key`, {})).body.data
  hub.upstream.play('bought', turn => {
    const message = { role: 'assistant', content: 'ok' }
    answerJson(turn, {
      choices: [{ index: 0, message, finish_reason: 'stop' }],
      usage: { prompt_tokens: 11, completion_tokens: 3, total_tokens: 14 },
    })
  })
  const response = await hub.post(
    '/v1/chat/completions',
    { model: 'bought', messages: [{ role: 'user', content: 'hi' }] },
    { authorization: `Bearer ${key}` },
  )
  const text = await response.text()
  expect([response.status, foundIn(text + JSON.stringify([...response.headers]))]).toEqual([
    200,
    [],
  ])
  const log = await db
    .selectFrom('logs')
    .selectAll()
    .where('type', '=', 2)
    .where('user_id', '=', user.id)
    .executeTakeFirstOrThrow()
  expect(log.cost).toBe(Number(amount.replace('.', '')))
  callId = log.id
  hub.app.clock.now += 1_800_000
  await sumUsage.run(app)
}

const tests = () => {
  it('S9 no endpoint of the console tells a user what a call costs the operator', async () => {
    const known = { id: callId, from: '2020-01-01', to: '2020-01-01' }
    const leaks: string[] = []
    let answered = 0
    for (const each of allEndpoints.filter(({ endpoint }) => endpoint.method === 'GET')) {
      // A stream of events has no end, and a sign-out would end the walk.
      if (each.endpoint.events || each.endpoint.path.includes('logout')) continue
      for (const { path } of callsOf(each, known, ['bought'])) {
        const { status, text, headers } = await user.get(path)
        if (status === 200) answered += 1
        for (const found of foundIn(text + JSON.stringify(headers)))
          leaks.push(`${status} ${path}: ${found}`)
      }
    }
    expect(leaks).toEqual([])
    expect(answered).toBeGreaterThan(30)
  })

  it('S9 the log, its file, the receipt and the dashboard of a user have the call without its cost', async () => {
    const named = [
      `/api/log/self?size=10`,
      '/api/log/self/export',
      `/api/log/${callId}/receipt`,
      '/api/user/dashboard',
      '/api/user/self',
      '/api/token/',
    ]
    const answers = []
    for (const path of named) {
      const { status, text } = await user.get(path)
      answers.push([path, status, foundIn(text)])
    }
    expect(answers).toEqual(named.map(path => [path, 200, []]))
    const log = await user.get('/api/log/self?size=10')
    expect(log.text).toContain('bought')
  })

  it('S9 no route of the API and no public page has a cost', async () => {
    const paths = hub.app.fastify
      .printRoutes({ commonPrefix: false, includeHooks: false })
      .split('\n')
      .flatMap(line => /─ (\S+) \(([^)]*GET[^)]*)\)/.exec(line)?.[1] ?? [])
    expect(paths.length).toBeGreaterThan(20)
    const leaks: string[] = []
    const reads = paths.filter(each => !each.includes('logout'))
    for (const path of reads.map(each => each.replace(/[:*]\w*/g, String(callId)))) {
      const { text } = await user.send('GET', path, undefined, {
        headers: { authorization: `Bearer ${key}` },
      })
      leaks.push(...foundIn(text).map(found => `${path}: ${found}`))
    }
    expect(leaks).toEqual([])
  })

  it('no notification, e-mail or stored message of a user has a cost', async () => {
    const { db } = hub.app.app
    for (const table of ['notifications', 'queued', 'invoices', 'invoice_documents'] as const)
      expect(foundIn(JSON.stringify(await db.selectFrom(table).selectAll().execute()))).toEqual([])
  })

  it('an administrator sees cost and margin on the receipt', async () => {
    const { body } = await hub.app.root.get(`/api/log/${callId}/receipt`)
    const charged = body.data.charged / 500_000
    expect(body.data.operator).toMatchObject({
      cost: { amount, currency, kind: 'computed' },
      cost_usd: amount,
    })
    expect(Number(body.data.operator.margin_usd)).toBeCloseTo(charged - Number(amount), 9)
  })
}

onBothEngines('costs are the operator’s', open => {
  const opened = useRelayHub({}, open)
  beforeAll(async () => {
    hub = opened
    await prepare()
  })
  tests()
})
