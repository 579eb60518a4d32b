import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, beforeEach, expect } from 'vitest'
import { copyResults } from '../../src/tasks/copies/copy.ts'
import { pollTasks } from '../../src/tasks/polling/poll.ts'
import { type Json, useRelayHub } from '../relay-hub.ts'
import type { KlingVendor } from './kling-vendor.ts'

export type HubOpener = NonNullable<Parameters<typeof useRelayHub>[1]>

/** A hub that keeps copies of the vendor's videos for two days. */
export const useCopies = (vendor: KlingVendor, open: HubOpener) => {
  const { port } = new URL(vendor.url)
  const original = vendor.video
  const hub = useRelayHub({ FETCH_PRIVATE_RANGES: '127.0.0.0/8', FETCH_PORTS: port }, open)
  beforeAll(async () => {
    vendor.now = () => hub.app.clock.now
    await hub.addChannel(53, 'kling-v1', { base_url: vendor.url, key: vendor.key })
    const price = { model: 'kling-v1', type: 'times', input: 1, output: 1, locked: true }
    await hub.app.root.put('/api/prices/single/kling-v1', price)
    await setOption('TaskCopyDays', '2')
  })
  beforeEach(() => {
    vendor.video = original
  })

  const setOption = async (key: string, value: string) => {
    const { status, text } = await hub.app.root.put('/api/option/', { key, value })
    expect([status, text]).toEqual([200, expect.anything()])
  }
  const headers = () => ({ authorization: `Bearer ${hub.key}` })
  /** A completed video, which is copied where the option is on. */
  const finished = async (): Promise<string> => {
    const made = await hub.post('/v1/videos', { model: 'kling-v1', prompt: 'A dog' })
    const { id } = (await made.json()) as Json
    Object.assign([...vendor.tasks.values()].at(-1)!, { status: 'succeed' })
    const { db } = hub.app.app
    await db.updateTable('tasks').set({ run_at: 0 }).where('run_at', 'is not', null).execute()
    await pollTasks(hub.app.app)
    await copyResults(hub.app.app)
    return id
  }
  const content = async (id: string, more: Record<string, string> = {}) => {
    const url = `${hub.url}/v1/videos/${id}/content`
    const response = await fetch(url, { headers: { ...headers(), ...more } })
    return { response, body: Buffer.from(await response.arrayBuffer()) }
  }
  const remove = async (id: string) => {
    const url = `${hub.url}/v1/videos/${id}`
    expect((await fetch(url, { method: 'DELETE', headers: headers() })).status).toBe(200)
  }
  const folder = () => join(hub.app.app.env.dataDir, 'task-results')
  const files = () => (existsSync(folder()) ? readdirSync(folder()) : [])
  return { hub, setOption, finished, content, remove, folder, files }
}

export type CopiesHub = ReturnType<typeof useCopies>

/** Whole and in parts, as players ask for it. */
export const expectServed = async ({ content }: CopiesHub, id: string, expected: Buffer) => {
  const whole = await content(id)
  expect([whole.response.status, whole.body.equals(expected)]).toEqual([200, true])
  expect(whole.response.headers.get('content-type')).toBe('video/mp4')
  const parts: [string, Buffer][] = [
    ['bytes=2-5', expected.subarray(2, 6)],
    ['bytes=3-', expected.subarray(3)],
    ['bytes=-4', expected.subarray(-4)],
  ]
  for (const [range, part] of parts) {
    const { response, body } = await content(id, { range })
    expect([response.status, body.equals(part)]).toEqual([206, true])
    expect(response.headers.get('content-range')).toMatch(`/${expected.length}`)
  }
  for (const range of ['bytes=99999999-', 'bytes=5-2', 'lines=1-2'])
    expect((await content(id, { range })).response.status).toBe(200)
}
