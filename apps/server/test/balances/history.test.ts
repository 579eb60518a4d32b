import { expect, it } from 'vitest'
import forgetChannelBalances from '../../src/jobs/forget-channel-balances.ts'
import { onBothEngines } from '../harness.ts'
import { type BalanceHub, gateway, useBalanceHub } from './balance-hub.ts'

const rowTests = ({
  add,
  shows,
  usageOf,
  runAfter,
  read,
  amountsOf,
  storedOf,
  site,
}: BalanceHub) => {
  it('has a row for each change, and for each hour without one', async () => {
    const id = await add('up')
    for (const [amount, minutes] of [
      ['0.30', 0],
      ['0.3', 30],
      ['0.1000000001', 1],
      ['0.1000000001', 59],
      ['0.1000000001', 1],
    ] as const) {
      shows('up', amount)
      site().clock.now += minutes * 60_000
      await read(id)
    }
    expect(await storedOf(id)).toEqual([
      [-91, '0.3 USD wallet'],
      [-60, '0.1000000001 USD wallet'],
      [0, '0.1000000001 USD wallet'],
    ])
    expect(await amountsOf(id, '?days=1')).toEqual(['0.3', '0.1000000001', '0.1000000001'])
  })

  it('has a row for another currency and another kind of the same amount, and none by a late clock', async () => {
    const id = await add('sub', { type: gateway })
    const readAt = async (minutes: number, answer: object) => {
      usageOf('sub', answer)
      site().clock.now += minutes * 60_000
      await read(id)
    }
    await readAt(0, { remaining: 3 })
    await readAt(1, { balance: 3 })
    await readAt(-10, { balance: 2 })
    site().clock.now += 10 * 60_000
    expect(await storedOf(id)).toEqual([
      [-1, '3 USD '],
      [0, '3 USD wallet'],
    ])
    const other = await add('up')
    for (const currency of ['USD', 'CNY']) {
      shows('up', 3, currency)
      site().clock.now += 60_000
      await read(other)
    }
    expect(await storedOf(other)).toEqual([
      [-1, '3 USD wallet'],
      [0, '3 CNY wallet'],
    ])
  })

  it('keeps 90 days', async () => {
    const id = await add('up')
    shows('up', 1)
    await runAfter(1)
    shows('up', 2)
    await runAfter(89 * 24)
    await forgetChannelBalances.run(site().app)
    expect(await amountsOf(id, '?days=90')).toEqual(['1', '2'])
    site().clock.now += 2 * 24 * 3_600_000
    await forgetChannelBalances.run(site().app)
    expect(await amountsOf(id, '?days=90')).toEqual(['2'])
  })
}

const answerTests = ({ add, shows, runAfter, historyOf, now, site }: BalanceHub) => {
  it('has at most 180 points of a period, the last of each part', async () => {
    const id = await add('up')
    // A week of equal parts, none of which begins at this second, touches one part more.
    site().clock.now += (7 * 86_400 - (now() % (7 * 86_400)) + 100) * 1_000
    const rows = Array.from({ length: 2_500 }, (_, index) => ({
      ...{ channel_id: id, at: now() - index * 300, amount: String(index) },
      ...{ currency: 'USD', kind: 'wallet' },
    }))
    await site().app.db.insertInto('channel_balances').values(rows).execute()
    const { readings } = await historyOf(id, '?days=7')
    expect([readings.length, readings.at(-1)!.amount]).toEqual([180, '0'])
    expect(readings[0]!.at).toBeLessThan(now() - 6.9 * 86_400)
    const { body } = await site().root.get(`/api/channel/balances?ids=${id}`)
    expect([body.data.channels[0].points.length, body.data.channels[0].points.at(-1)]).toEqual([
      28, 0,
    ])
    for (const days of [0, 91, 1.5, 'x'])
      expect((await site().root.get(`/api/channel/${id}/balances?days=${days}`)).status).toBe(400)
    expect((await site().root.get('/api/channel/999999/balances')).status).toBe(404)
  })

  it('shows the last week of several channels in one answer', async () => {
    const [first, second] = [await add('first'), await add('second')]
    for (const amount of [30, 20, 10]) {
      shows('first', amount)
      shows('second', amount / 10)
      await runAfter(24)
    }
    const { body } = await site().root.get(`/api/channel/balances?ids=${second},${first},999999`)
    const common = { kind: 'wallet', until: now() + 86_400, warning: 'days' }
    expect(body.data.channels).toEqual([
      { id: second, ...common, points: [3, 2, 1] },
      { id: first, ...common, points: [30, 20, 10] },
      { id: 999_999, kind: '', until: null, warning: '', points: [] },
    ])
    expect((await site().root.get('/api/channel/balances?ids=1,x')).status).toBe(400)
  })
}

onBothEngines('the history of a balance', open => {
  const hub = useBalanceHub(open)
  rowTests(hub)
  answerTests(hub)
})
