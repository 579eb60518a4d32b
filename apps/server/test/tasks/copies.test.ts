import { existsSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import removeOldTasks from '../../src/jobs/remove-old-tasks.ts'
import { copyResults, pollTasks, removeCopies } from '../../src/relay/index.ts'
import { onBothEngines } from '../harness.ts'
import { type Json, useRelayHub } from '../relay-hub.ts'
import { startKlingVendor } from './kling-vendor.ts'

const vendor = await startKlingVendor()
const { port } = new URL(vendor.url)
const original = vendor.video
const another = Buffer.from('another video')
const daySeconds = 86_400
afterAll(() => vendor.close())

type Opener = NonNullable<Parameters<typeof useRelayHub>[1]>

const useCopies = (open: Opener) => {
  const hub = useRelayHub({ FETCH_PRIVATE_RANGES: '127.0.0.0/8', FETCH_PORTS: port }, open)
  beforeAll(async () => {
    vendor.now = () => hub.app.clock.now
    await hub.addChannel(53, 'kling-v1', { base_url: vendor.url, key: vendor.key })
    const price = { model: 'kling-v1', type: 'times', input: 1, output: 1, locked: true }
    await hub.app.root.put('/api/prices/single/kling-v1', price)
    await setDays('2')
  })
  beforeEach(() => {
    vendor.video = original
  })

  const setDays = async (value: string) =>
    expect((await hub.app.root.put('/api/option/', { key: 'TaskCopyDays', value })).status).toBe(
      200,
    )
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
  const folder = () => join(hub.app.app.env.dataDir, 'task-results')
  const files = () => (existsSync(folder()) ? readdirSync(folder()) : [])
  return { hub, setDays, headers, finished, content, folder, files }
}

type Tools = ReturnType<typeof useCopies>

const servingTests = ({ hub, finished, content, folder, files }: Tools) => {
  it('are served after the provider has deleted the result, also in parts', async () => {
    const id = await finished()
    vendor.video = another
    const whole = await content(id)
    expect([whole.response.status, whole.body.equals(original)]).toEqual([200, true])
    expect(whole.response.headers.get('content-type')).toBe('video/mp4')
    const parts: [string, Buffer][] = [
      ['bytes=2-5', original.subarray(2, 6)],
      ['bytes=3-', original.subarray(3)],
      ['bytes=-4', original.subarray(-4)],
    ]
    for (const [range, expected] of parts) {
      const { response, body } = await content(id, { range })
      expect([response.status, body.equals(expected)]).toEqual([206, true])
      expect(response.headers.get('content-range')).toMatch(`/${original.length}`)
    }
    for (const range of ['bytes=99999999-', 'bytes=5-2', 'lines=1-2'])
      expect((await content(id, { range })).response.status).toBe(200)
  })

  it('are tried again, and the provider is asked where a node has none', async () => {
    vendor.video = Buffer.from('<html>')
    vendor.type = 'text/html'
    const id = await finished()
    Object.assign(vendor, { type: 'video/mp4', video: original })
    const before = files().length
    await copyResults(hub.app.app)
    expect(files()).toHaveLength(before)
    hub.app.clock.now += 60_000
    await copyResults(hub.app.app)
    expect(files()).toHaveLength(before + 1)
    expect(files().filter(each => each.endsWith('.part'))).toEqual([])
    rmSync(folder(), { recursive: true })
    vendor.video = another
    expect((await content(id)).body.equals(another)).toBe(true)
  })
}

const removalTests = ({ hub, setDays, headers, finished, content, files }: Tools) => {
  it('are deleted with the task of their owner, after their time, and with old tasks', async () => {
    await removeCopies(hub.app.app)
    const before = files().length
    const [deleted, expired, old] = [await finished(), await finished(), await finished()]
    expect(files()).toHaveLength(before + 3)
    const url = `${hub.url}/v1/videos/${deleted}`
    expect((await fetch(url, { method: 'DELETE', headers: headers() })).status).toBe(200)
    await removeCopies(hub.app.app)
    expect(files()).toHaveLength(before + 2)
    expect((await content(deleted)).response.status).toBe(404)
    await hub.app.app.db
      .updateTable('tasks')
      .set({ finished_at: 1 })
      .where('public_id', '=', old)
      .execute()
    await hub.app.root.put('/api/option/', { key: 'TaskRetentionDays', value: '1' })
    await removeOldTasks.run(hub.app.app)
    await hub.app.root.put('/api/option/', { key: 'TaskRetentionDays', value: '0' })
    await removeCopies(hub.app.app)
    expect(files()).toHaveLength(before + 1)
    vendor.video = another
    hub.app.clock.now += 2 * daySeconds * 1_000
    expect((await content(expired)).body.equals(another)).toBe(true)
    await removeCopies(hub.app.app)
    expect(files()).toEqual([])
  })

  it('are not made where the option is off', async () => {
    await setDays('0')
    await finished()
    expect(files()).toEqual([])
    await setDays('2')
  })
}

onBothEngines('copies of results', open => {
  const tools = useCopies(open)
  servingTests(tools)
  removalTests(tools)
})
