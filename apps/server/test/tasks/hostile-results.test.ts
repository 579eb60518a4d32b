import { afterAll, beforeAll, expect, it } from 'vitest'
import { type Canary, startCanary } from '../../../../test/harness/addresses/canary.ts'
import {
  type FileHost,
  goodZone,
  publicAddress,
  startFileHost,
} from '../../../../test/harness/addresses/file-host.ts'
import {
  hostileHosts,
  hostileUrls,
  hostileZone,
} from '../../../../test/harness/addresses/hostile.ts'
import { pollTasks } from '../../src/tasks/polling/poll.ts'
import { type Json, useRelayHub } from '../relay-hub.ts'
import { type KlingVendor, startKlingVendor } from './kling-vendor.ts'

let canary: Canary
let host: FileHost
let vendor: KlingVendor
const started = Promise.all([startCanary(), startFileHost(), startKlingVendor()])
;[canary, host, vendor] = await started
const hub = useRelayHub({
  FETCH_DNS_SERVERS: host.names.address,
  FETCH_PRIVATE_RANGES: publicAddress,
  FETCH_PORTS: `80,443,${host.port},${canary.port}`,
})

beforeAll(() => hub.addChannel(53, 'kling-v1', { base_url: vendor.url, key: vendor.key }))
afterAll(async () => {
  await vendor.close()
  await host.close()
  await canary.close()
})

it('S2 S4 S6 no hostile address in a result is fetched, and none is shown', async () => {
  host.resolve(name => goodZone(name) ?? hostileZone(name))
  const { port } = canary
  const urls = [
    ...hostileHosts.map(name => `http://${name}:${port}/a.mp4`),
    ...hostileUrls.map(each => each.replaceAll('{port}', String(port))),
  ].filter(each => each !== '')
  const { db } = hub.app.app
  const price = { model: 'kling-v1', type: 'times', input: 1, output: 1, locked: true }
  expect((await hub.app.root.put('/api/prices/single/kling-v1', price)).status).toBe(200)
  const made = await hub.post('/kling/v1/videos/text2video', { prompt: 'A dog' })
  const { task_id: id } = ((await made.json()) as Json).data
  vendor.override = method =>
    method === 'GET'
      ? {
          status: 200,
          json: {
            code: 0,
            message: 'SUCCEED',
            data: {
              task_id: [...vendor.tasks.keys()][0],
              task_status: 'succeed',
              task_result: { videos: urls.map(url => ({ id: 'v', url, duration: '5' })) },
            },
          },
        }
      : undefined
  await db.updateTable('tasks').set({ run_at: 0 }).where('run_at', 'is not', null).execute()
  await pollTasks(hub.app.app)
  const shown = await fetch(`${hub.url}/kling/v1/videos/text2video/${id}`, {
    headers: { authorization: `Bearer ${hub.key}` },
  })
  const { videos } = ((await shown.json()) as Json).data.task_result
  expect(videos).toHaveLength(urls.length)
  const answered: unknown[] = []
  for (const [at, { url }] of videos.entries()) {
    expect(url.startsWith(hub.url)).toBe(true)
    const { status, body } = await fetch(url)
    await body?.cancel()
    if (status !== 410) answered.push([urls[at], status])
  }
  expect(answered).toEqual([])
  expect(canary.connections()).toBe(0)
})
