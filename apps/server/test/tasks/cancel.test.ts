import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { pollTasks } from '../../src/tasks/polling/poll.ts'
import type { TestUser } from '../harness.ts'
import { type Json, useRelayHub } from '../relay-hub.ts'
import { startVideoVendor, videoApis } from './video-vendors.ts'

const vendor = await startVideoVendor()
const { port } = new URL(vendor.url)
const hub = useRelayHub({ FETCH_PRIVATE_RANGES: '127.0.0.0/8', FETCH_PORTS: port })
const api = videoApis.find(each => each.name === 'Seedance')!
let stranger: TestUser

beforeAll(async () => {
  await hub.addChannel(api.type, api.model, { base_url: vendor.url, ...api.channel })
  await hub.app.root.put(`/api/prices/single/${api.model}`, {
    ...{ model: api.model, type: 'times', input: 1, output: 1, locked: true },
  })
  stranger = await hub.app.person(1)
})
afterAll(() => vendor.close())
beforeEach(() => {
  vendor.api = api
  vendor.tasks.clear()
})

const create = async (): Promise<number> => {
  const response = await hub.post('/v1/videos', { model: api.model, prompt: 'A dog' })
  const { id } = (await response.json()) as Json
  return (await rowOf(`task_id=${id}`)).id
}
const rowOf = async (query: string): Promise<Json> =>
  (await hub.app.root.get(`/api/task/?${query}`)).body.data.data[0]
const cancel = (id: number, caller = hub.app.root) => caller.post(`/api/task/${id}/cancel`, {})
const poll = async (makeDue: boolean) => {
  const { db } = hub.app.app
  if (makeDue)
    await db.updateTable('tasks').set({ run_at: 0 }).where('run_at', 'is not', null).execute()
  await pollTasks(hub.app.app)
}
const holds = () => hub.app.app.db.selectFrom('holds').select('amount').execute()
const task = () => [...vendor.tasks.values()].at(-1)!

it('a queued task is cancelled at the provider, and released when the provider says so', async () => {
  const id = await create()
  expect(await rowOf('')).toMatchObject({ id, status: 'QUEUED', can_cancel: true })
  expect((await cancel(id)).status).toBe(200)
  expect(task().word).toBe('cancelled')
  expect(await holds()).toHaveLength(1)
  await poll(false)
  expect(await rowOf('')).toMatchObject({ id, status: 'FAILURE', billing: 'released' })
  expect(await holds()).toEqual([])
  expect((await cancel(id)).body.code).toBe('task.not_cancellable')
})

it.each(['running', 'succeeded'])('a task that is %s meanwhile is kept and charged', async word => {
  const id = await create()
  task().word = word
  const refused = await cancel(id)
  expect([refused.status, refused.body.code]).toEqual([409, 'task.not_cancellable'])
  task().word = 'succeeded'
  await poll(true)
  expect(await rowOf('')).toMatchObject({ id, status: 'SUCCESS', billing: 'charged', quota: 1_000 })
})

it('S26 a task of another user does not exist', async () => {
  const id = await create()
  const refused = await cancel(id, stranger)
  expect([refused.status, refused.body.code, task().word]).toEqual([
    ...[404, 'resource.missing', 'queued'],
  ])
  expect((await cancel(id)).status).toBe(200)
  await poll(true)
  expect(await holds()).toEqual([])
})
