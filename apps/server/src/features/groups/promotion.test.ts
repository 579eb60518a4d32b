import { beforeAll, expect, it } from 'vitest'
import { onBothEngines, type TestApp, type TestUser } from '../../../test/harness.ts'

let hub: TestApp
const dollars = (n: number) => n * 500_000

const redeem = async (user: TestUser, usd: number) => {
  const made = await hub.root.post('/api/redemption/', { name: 'c', quota: dollars(usd), count: 1 })
  expect(made.status).toBe(200)
  const key = made.body.data[0]
  expect((await user.post('/api/user/topup', { key })).status).toBe(200)
  return (await user.get('/api/user/self')).body.data.group as string
}
const addGroup = (symbol: string, min: number, max: number, more: object = {}) =>
  hub.root.post('/api/user_group/', {
    ...{ symbol, name: symbol, promotion: true, min, max },
    ...more,
  })

onBothEngines('promotion', open => {
  beforeAll(async () => {
    hub = await open()
    await addGroup('silver', 10, 50)
    await addGroup('gold', 50, 0)
    await addGroup('closed', 20, 0, { enable: false })
    await addGroup('partner', 0, 0, { promotion: false })
  })

  it('a user reaches a group by the sum of top-ups, and keeps it', async () => {
    const user = await hub.person()
    expect(await redeem(user, 9)).toBe('default')
    expect(await redeem(user, 1)).toBe('silver')
    expect(await redeem(user, 39)).toBe('silver')
    expect(await redeem(user, 1)).toBe('gold')
    await hub.root.put('/api/user_group/', { id: await idOf('gold'), min: 1_000 })
    expect(await redeem(user, 1)).toBe('gold')
    await hub.root.put('/api/user_group/', { id: await idOf('gold'), min: 50 })
  })

  it('points that an administrator gave do not count', async () => {
    const user = await hub.person(1, { quota: dollars(100) })
    await hub.root.post(`/api/user/quota/${user.id}`, { quota: dollars(100) })
    expect(await redeem(user, 1)).toBe('default')
  })

  it('nobody leaves a group that an administrator chose', async () => {
    const user = await hub.person(1, { group: 'partner' })
    expect(await redeem(user, 60)).toBe('partner')
  })

  it('tokens of the user use the new group at once', async () => {
    const user = await hub.person()
    const before = await versionOf(user)
    await redeem(user, 10)
    expect(await versionOf(user)).toBeGreaterThan(before)
  })

  it('a range without an amount in it is refused', async () => {
    expect((await addGroup('odd', 10, 10)).body.code).toBe('request.invalid')
    const id = await idOf('silver')
    const { body } = await hub.root.put('/api/user_group/', { id, max: 5 })
    expect(body.code).toBe('request.invalid')
  })
})

const idOf = async (symbol: string): Promise<number> =>
  (await hub.root.get(`/api/user_group/?keyword=${symbol}`)).body.data.data[0].id
const versionOf = async (user: TestUser): Promise<number> => {
  await user.post('/api/token/', { name: 'mine' })
  const row = await hub.app.db
    .selectFrom('tokens')
    .select('version')
    .where('user_id', '=', user.id)
    .orderBy('id')
    .executeTakeFirstOrThrow()
  return row.version ?? 0
}
