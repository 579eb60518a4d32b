import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { ChannelBatchRun } from '@hub/contract'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { keepAlive } from '../../../../test/harness/addresses/keep-alive.ts'
import { onBothEngines, type TestApp } from '../../test/harness.ts'

/** A vendor whose answer to a path a test chooses. */
let vendor: Server
let url: string
let hub: TestApp
const answers = new Map<string, [status: number, body: unknown]>()
let requestedUrls: string[] = []

beforeAll(async () => {
  vendor = createServer(keepAlive, (request, response) => {
    requestedUrls.push(request.url ?? '')
    const [status, body] = answers.get(request.url ?? '') ?? [404, {}]
    response.writeHead(status, { 'content-type': 'application/json' })
    response.end(JSON.stringify(body))
  })
  await new Promise<void>(resolve => vendor.listen(0, '127.0.0.1', resolve))
  url = `http://127.0.0.1:${(vendor.address() as AddressInfo).port}`
})
afterAll(() => void vendor.close())

const kinds = {
  images: { type: 1, models: 'gpt-image-1' },
  transcription: { type: 1, models: 'whisper-1' },
  videos: { type: 53, models: 'kling-v1' },
  midjourney: { type: 34, models: 'mj_fast_imagine' },
  suno: { type: 41, models: 'suno_lyrics,chirp-v3-5' },
} as const

const add = async (name: string, more: object) => {
  const channel = { name, key: `sk-secret-${name}`, base_url: `${url}/${name}`, ...more }
  return (await hub.root.post('/api/channel/', channel)).body.data[0].id as number
}
const get = async (path: string) => (await hub.root.get(path)).body.data
const roundOfTests = async () => {
  await hub.root.post('/api/channel/test')
  const find = async () =>
    (await get('/api/channel/rounds')).find((each: ChannelBatchRun) => each.ended_at > 0)
  await expect.poll(find).toBeDefined()
  return find()
}

const readings = () => {
  it('a channel whose test would be charged is read or not tested, and never fails', async () => {
    const ids: Record<string, number> = {}
    for (const [name, more] of Object.entries(kinds)) ids[name] = await add(name, more)
    answers.set('/images/v1/models', [200, { data: [] }])
    answers.set('/videos/v1/videos/text2video?pageNum=1&pageSize=1', [200, { code: 0, data: [] }])
    await hub.root.put('/api/option/', { key: 'AutomaticDisableChannelEnabled', value: 'true' })
    const counts = { total: 5, done: 5, disabled: 0, untested: 3, failed: [] }
    expect(await roundOfTests()).toMatchObject(counts)
    const found = await Promise.all(
      Object.entries(ids).map(async ([name, id]) => {
        const { status, test_kind, test_error, response_time } = await get(`/api/channel/${id}`)
        const [stored] = await get(`/api/channel/${id}/model_tests`)
        expect([name, stored.kind, stored.error]).toEqual([name, test_kind, ''])
        return [name, status, test_kind, test_error, response_time]
      }),
    )
    expect(found).toEqual([
      ['images', 1, 'models', '', 0],
      ['transcription', 1, 'none', '', 0],
      ['videos', 1, 'tasks', '', 0],
      ['midjourney', 1, 'none', '', 0],
      ['suno', 1, 'none', '', 0],
    ])
    expect(requestedUrls.filter(each => /midjourney|suno/.test(each))).toEqual([])
    const one = await hub.root.post(`/api/channel/test/${ids.suno}`)
    expect(one.body).toMatchObject({ success: true, data: { kind: 'none', time: 0 } })
  })

  it('a key that is refused when something is read has failed', async () => {
    const id = await add('images', kinds.images)
    answers.set('/images/v1/models', [401, {}])
    expect((await hub.root.post(`/api/channel/test/${id}`)).body.code).toBe('channel.test_failed')
    expect((await get(`/api/channel/${id}`)).test_error).toContain('401')
  })

  it('a test model that the channel does not serve is not tested', async () => {
    const id = await add('chat', { type: 28, models: 'm', test_model: 'other' })
    const message = { role: 'assistant', content: 'hi' }
    const usage = { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 }
    answers.set('/chat/chat/completions', [
      200,
      { choices: [{ index: 0, message, finish_reason: 'stop' }], usage },
    ])
    const { body } = await hub.root.post(`/api/channel/test/${id}`)
    expect(body.data).toMatchObject({ model: 'm', kind: 'call' })
  })
}

onBothEngines('tests that a vendor would charge for', open => {
  beforeAll(async () => {
    hub = await open()
  })
  beforeEach(async () => {
    answers.clear()
    requestedUrls = []
    await hub.app.db.deleteFrom('channels').execute()
  })
  readings()
})
