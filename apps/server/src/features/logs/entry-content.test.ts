import { afterAll, beforeAll, expect, it } from 'vitest'
import { openTestApp, type TestApp } from '../../../test/harness.ts'

let hub: TestApp

beforeAll(async () => {
  hub = await openTestApp(undefined)
})
afterAll(() => hub.close(1))

const rowsOf = async (type: number, userId: number) =>
  (await hub.root.get(`/api/log/?log_type=${type}&size=100`)).body.data.data.filter(
    (row: { user_id: number }) => row.user_id === userId,
  )

it('the row of a quota that an administrator changed has a code for the console', async () => {
  const user = await hub.person()
  expect((await hub.root.post(`/api/user/quota/${user.id}`, { quota: 5 })).status).toBe(200)
  const remarked = { quota: 5, remark: 'A gift' }
  expect((await hub.root.post(`/api/user/quota/${user.id}`, remarked)).status).toBe(200)
  const [gift, change] = await rowsOf(3, user.id)
  expect(gift.content).toBe('A gift')
  expect(gift.metadata).not.toHaveProperty('note')
  expect(change).toMatchObject({
    content: 'Quota changed by root',
    metadata: { note: 'quota_changed', about: 'root', by: 'root' },
  })
})

it('the row of a redemption has a code for the console', async () => {
  const user = await hub.person()
  const made = await hub.root.post('/api/redemption/', { name: 'spring', quota: 50, count: 1 })
  const [key] = made.body.data
  expect((await user.post('/api/user/topup', { key })).status).toBe(200)
  const [row] = await rowsOf(1, user.id)
  expect(row.metadata).toMatchObject({ note: 'redemption' })
  expect(row.content).toBe(`Redemption code ${row.metadata.about}`)
})
