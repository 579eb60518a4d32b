import { expect, it } from 'vitest'
import { onBothEngines } from '../harness.ts'
import { type BalanceHub, gateway, useBalanceHub } from './balance-hub.ts'

const scheduleTests = ({
  add,
  shows,
  runAfter,
  historyOf,
  amountsOf,
  titles,
  set,
  site,
  answers,
  requested,
}: BalanceHub) => {
  it('asks each channel at the interval, a new one after it, and none without a balance query', async () => {
    shows('one', 5)
    await add('one')
    await add('none', { type: 31 })
    const official = await add('official', { type: 1, base_url: 'https://api.openai.com' })
    expect((await historyOf(official)).is_offered).toBe(false)
    await add('off', { status: 2 })
    await runAfter(0)
    await runAfter(0.5)
    expect(requested).toEqual([])
    await runAfter(0.5)
    await runAfter(0.9)
    expect(requested).toEqual(['/one/user/balance'])
    // A restart forgets the state in memory, not the times in the database.
    await site().app.state.forget('channel-round:balance')
    await runAfter(0)
    expect(requested).toHaveLength(1)
    await set('ChannelUpdateFrequency', '0')
    await runAfter(48)
    expect(requested).toHaveLength(1)
  })

  it('asks a server that never showed a balance once a day, and reports no failure of it', async () => {
    const id = await add('mute')
    for (let hours = 0; hours < 49; hours += 1) await runAfter(1)
    expect(requested).toHaveLength(3)
    expect(await titles()).toEqual([[], [], []])
    const { problems } = (await site().root.get('/api/operations/attention')).body.data
    expect(problems).toEqual([])
    expect(await historyOf(id)).toMatchObject({ is_offered: true, readings: [], until: null })
  })

  const broken: [string, [number, unknown]][] = [
    ['a refused key', [401, { error: { message: 'no such key' } }]],
    ['a failure', [500, {}]],
    ['a page', [200, '<html><body>Sign in</body></html>']],
    ['no JSON', [200, '{"balance_infos": [']],
    ['another answer', [200, { data: [] }]],
    ['a word', [200, { balance_infos: [{ currency: 'USD', total_balance: 'much' }] }]],
    ['a huge amount', [200, '{"balance_infos":[{"currency":"USD","total_balance":1e999}]}']],
  ]
  it.each(broken)(
    '%s after a balance is a failure, told once, and keeps the history',
    async (_, answer) => {
      const id = await add('up')
      shows('up', 12.5)
      await runAfter(1)
      answers.set('/up/user/balance', answer)
      for (let hours = 0; hours < 4; hours += 1) await runAfter(1)
      expect(await titles()).toEqual([[], [], ['The balance of channel up cannot be read']])
      expect(await amountsOf(id)).toEqual(['12.5'])
      shows('up', 12)
      await runAfter(1)
      expect(await amountsOf(id)).toEqual(['12.5', '12'])
    },
  )
}

const shapeTests = ({
  add,
  usageOf,
  runAfter,
  read,
  historyOf,
  amountsOf,
  reasonOf,
  titles,
  set,
  site,
  answers,
}: BalanceHub) => {
  it('a spent window of a subscription neither warns nor disables', async () => {
    await set('AutomaticDisableChannelEnabled', 'true')
    const id = await add('sub', { type: gateway })
    const limits = { daily_limit_usd: 20, weekly_limit_usd: null, monthly_limit_usd: null }
    for (const daily_usage_usd of [5, 12, 20]) {
      const subscription = { ...limits, daily_usage_usd, weekly_usage_usd: 30 }
      usageOf('sub', { isValid: true, unit: 'USD', remaining: 20 - daily_usage_usd, subscription })
      await runAfter(24)
    }
    expect(await historyOf(id)).toMatchObject({ kind: 'window', until: null, warning: '' })
    expect(await amountsOf(id)).toEqual(['15', '8', '0'])
    expect([await titles(), await reasonOf(id)]).toEqual([[[], [], []], undefined])
    expect((await site().root.get(`/api/channel/${id}`)).body.data.status).toBe(1)
  })

  it('a spent quota of a key disables its channel when configured', async () => {
    await set('AutomaticDisableChannelEnabled', 'true')
    const id = await add('sub', { type: gateway })
    const quota = { limit: 10, used: 10, remaining: 0, unit: 'USD' }
    usageOf('sub', { mode: 'quota_limited', isValid: true, status: 'quota_exhausted', quota })
    await runAfter(24)
    expect((await site().root.get(`/api/channel/${id}`)).body.data.status).toBe(3)
  })

  it('the account of New API is read with its token, else the key', async () => {
    const id = await add('api', { type: gateway, key: 'sk-x|token|7' })
    answers.set('/api/api/user/self', [200, { success: true, data: { quota: 1_250_001 } }])
    answers.set('/api/api/status', [200, { success: true, data: { quota_per_unit: 500_000 } }])
    await read(id)
    expect(await historyOf(id)).toMatchObject({
      readings: [{ amount: '2.500002', currency: 'USD', kind: 'wallet' }],
    })
    answers.set('/api/api/user/self', [200, { success: false, message: 'no' }])
    usageOf('api', { isValid: true, remaining: 3, quota: { remaining: 3, unit: 'USD' } })
    site().clock.now += 3_600_000
    await read(id)
    const { readings } = await historyOf(id, '?days=1')
    expect(readings.map(({ kind }) => kind)).toEqual(['wallet', 'key'])
  })
}

onBothEngines('the readings of balances', open => {
  const hub = useBalanceHub(open)
  scheduleTests(hub)
  shapeTests(hub)
})
