import { expect, it } from 'vitest'
import { recordReading } from '../../src/channel-tests/index.ts'
import { onBothEngines } from '../harness.ts'
import { type BalanceHub, deepSeek, useBalanceHub } from './balance-hub.ts'

const lowTitle = (amount: string, id: number) =>
  `The balance of channel up (#${id}) at its provider is low: ${amount} USD`

const notificationTests = ({
  add,
  shows,
  runAfter,
  read,
  historyOf,
  reasonOf,
  titles,
  now,
  set,
}: BalanceHub) => {
  it('walks from 100 down to one warning, recovers after a payment, and warns again', async () => {
    const id = await add('up')
    const days = async (...amounts: number[]) => {
      for (const amount of amounts) {
        shows('up', amount)
        await runAfter(24)
      }
    }
    await days(100, 80, 60)
    expect(await titles()).toEqual([[], [], []])
    expect(await historyOf(id)).toMatchObject({
      warning: '',
      per_day: 20,
      until: now() + 3 * 86_400,
    })
    await days(40)
    expect(await titles()).toEqual([[lowTitle('40', id)], [], []])
    expect(await reasonOf(id)).toEqual({
      ...{ kind: 'balance', balance: 40, currency: 'USD', warning: 'days', below: 0 },
      until: now() + 2 * 86_400,
    })
    await days(30, 20, 10)
    expect((await titles())[0]).toHaveLength(1)
    await days(200)
    expect([await reasonOf(id), (await historyOf(id)).warning]).toEqual([undefined, ''])
    await days(150, 100, 50)
    expect(await titles()).toEqual([[lowTitle('40', id), lowTitle('50', id)], [], []])
  })

  it('an empty account is told once more, and then only after it has recovered', async () => {
    const id = await add('up', { plugin: { balance: { warning: 10 } } })
    const walk = async (...amounts: number[]) => {
      for (const amount of amounts) {
        shows('up', amount)
        await runAfter(3)
      }
    }
    await walk(11, 9.5, 9, 0, 0, 0, 3, 0)
    const empty = `The account of channel up (#${id}) at its provider is empty`
    expect(await titles()).toEqual([[lowTitle('9.5', id)], [empty], []])
    expect(await reasonOf(id)).toMatchObject({ warning: 'empty', below: 10, balance: 0 })
    await walk(5_000, 0)
    expect(await titles()).toEqual([[lowTitle('9.5', id)], [empty, empty], []])
  })

  it('the days are a setting, and 0 turns them off', async () => {
    const id = await add('up')
    await set('BalanceWarningDays', '0')
    for (const amount of [100, 60, 20]) {
      shows('up', amount)
      await runAfter(24)
    }
    expect([await titles(), await reasonOf(id)]).toEqual([[[], [], []], undefined])
    await set('BalanceWarningDays', '3')
    await read(id)
    expect((await titles())[0]).toEqual([lowTitle('20', id)])
  })
}

const limitTests = ({
  add,
  shows,
  runAfter,
  read,
  historyOf,
  reasonOf,
  titles,
  now,
  site,
}: BalanceHub) => {
  it('readings by several nodes at once notify once', async () => {
    const id = await add('up', { plugin: { balance: { warning: 10 } } })
    const channel = { id, name: 'up', options: { balance: { warning: 10 } } }
    // The clocks of nodes differ, so that the second of a reading does not tell two notifications apart.
    const nodes = [0, 1, 2, 3, 4].map(late => ({
      ...site().app,
      now: () => site().clock.now + late * 1_000,
    }))
    const readAll = (amount: string) => {
      const reading = { amount, currency: 'USD', kind: 'wallet' } as const
      return Promise.all(nodes.map(node => recordReading(node, channel, reading)))
    }
    // The first time opens a connection for each.
    await readAll('20')
    await readAll('5')
    expect(await titles()).toEqual([[lowTitle('5', id)], [], []])
  })

  it('a balance below 5 is a line only where nothing else judges it', async () => {
    const id = await add('up')
    shows('up', 4.75)
    await read(id)
    expect(await reasonOf(id)).toMatchObject({ warning: 'low', until: null, balance: 4.75 })
    for (const amount of [4.5, 4.25]) {
      shows('up', amount)
      await runAfter(24)
    }
    expect((await historyOf(id)).until).toBe(now() + 17 * 86_400)
    expect([await reasonOf(id), await titles()]).toEqual([undefined, [[], [], []]])
    const limited = await add('limited', { plugin: { balance: { warning: 2 } } })
    shows('limited', 3)
    await read(limited)
    expect(await reasonOf(limited)).toBeUndefined()
  })

  it('a limit below zero, a huge one and a word are refused, and so is one without a balance', async () => {
    const create = (type: number, warning: unknown) =>
      site().root.post('/api/channel/', {
        ...{ type, name: 'x', key: 'k', models: 'm' },
        plugin: { balance: { warning } },
      })
    for (const warning of [-1, 1e10, 'ten', null, Number.NaN])
      expect((await create(deepSeek, warning)).body.code).toBe('channel.option_invalid')
    // Groq has no balance query.
    expect((await create(31, 5)).body.code).toBe('channel.option_invalid')
    expect((await create(deepSeek, 2.5)).status).toBe(200)
  })
}

onBothEngines('a warning of a balance', open => {
  const hub = useBalanceHub(open)
  notificationTests(hub)
  limitTests(hub)
})
