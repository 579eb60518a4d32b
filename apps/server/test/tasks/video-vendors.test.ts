import OpenAI from 'openai'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { pollTasks } from '../../src/tasks/polling/poll.ts'
import { type Json, useRelayHub } from '../relay-hub.ts'
import { wan } from './dashscope-api.ts'
import { newApi } from './gateway-apis.ts'
import { googleApis } from './google-apis.ts'
import type { VideoApi } from './video-api.ts'
import { startVideoVendor, videoApis } from './video-vendors.ts'

const vendor = await startVideoVendor()
const { port } = new URL(vendor.url)
const hub = useRelayHub({ FETCH_PRIVATE_RANGES: '127.0.0.0/8', FETCH_PORTS: port })
let client: OpenAI
beforeAll(async () => {
  client = new OpenAI({ apiKey: hub.key, baseURL: `${hub.url}/v1`, maxRetries: 0 })
  for (const { type, model, basePath = '', channel } of videoApis)
    await hub.addChannel(type, model, { base_url: vendor.url + basePath, ...channel })
})
afterAll(() => vendor.close())

const poll = async () => {
  const { db } = hub.app.app
  await db.updateTable('tasks').set({ run_at: 0 }).where('run_at', 'is not', null).execute()
  await pollTasks(hub.app.app)
}
const setPrice = async (model: string, fields: object) => {
  const price = { model, input: 0, output: 0, locked: true, ...fields }
  expect((await hub.app.root.put(`/api/prices/single/${model}`, price)).status).toBe(200)
}
const settlementOf = async (publicId: string) => {
  const tasks = hub.app.app.db.selectFrom('tasks').select('settlement')
  return (await tasks.where('public_id', '=', publicId).executeTakeFirst())?.settlement
}
const lastCharge = async () => {
  const [row] = await hub.app.app.db
    .selectFrom('transfers')
    .select(['amount', 'usage'])
    .where('kind', '=', 'request')
    .orderBy('id', 'desc')
    .limit(1)
    .execute()
  return row
}

describe.each(videoApis)('$name', api => {
  beforeEach(async () => {
    vendor.api = api
    vendor.tasks.clear()
    vendor.isRefusing = false
    await setPrice(api.model, { type: 'times', tool_prices: { [api.unit]: 0.01 } })
  })
  const create = (fields: object = api.fields): Promise<Json> =>
    client.videos.create({ model: api.model, prompt: 'A dog', ...fields } as Json) as Json
  const show = async (id: string): Promise<Json> => client.videos.retrieve(id)
  const task = () => [...vendor.tasks.values()].at(-1)!

  it('makes a video that the SDK creates, polls and downloads', async () => {
    const video = await create()
    expect(task().body).toMatchObject(api.sent)
    task().word = api.words.running
    await poll()
    expect((await show(video.id)).status).toBe('in_progress')
    task().word = api.words.done
    await poll()
    expect(await show(video.id)).toMatchObject({ status: 'completed', prompt: 'A dog' })
    const content = await client.videos.downloadContent(video.id)
    expect(content.headers.get('content-type')).toBe('video/mp4')
    expect(Buffer.from(await content.arrayBuffer()).equals(vendor.video)).toBe(true)
    expect((await lastCharge())?.amount).toBe(Number(api.fields.seconds) * 5_000)
    expect(vendor.problems).toEqual([])
  })

  it('releases the hold of a video that failed', async () => {
    const video = await create()
    task().word = api.words.failed
    await poll()
    expect((await show(video.id)).status).toBe('failed')
    expect(await hub.app.app.db.selectFrom('holds').select('id').execute()).toEqual([])
  })

  it('releases the hold of a video that the vendor refuses, and passes its words on', async () => {
    vendor.isRefusing = true
    await expect(create()).rejects.toMatchObject({
      ...{ status: 400, message: expect.stringContaining(api.refusal.message) },
    })
    const { data } = await client.videos.list({ limit: 1 })
    expect(data[0]).toMatchObject({ model: api.model, status: 'failed' })
    expect(await settlementOf(data[0]!.id)).toBe('released')
    expect(await hub.app.app.db.selectFrom('holds').select('id').execute()).toEqual([])
  })

  it('shows only the four documented states, whatever the vendor says', async () => {
    const words = [
      ...Object.values(api.words).flatMap(each => [each.toUpperCase(), each.toLowerCase()]),
      ...Array.from({ length: 50 }, (_, at) => `Word-${at}`),
      ...['', 'null', '__proto__', 'constructor', 'succeeded ', 'NOT_START', 'unknown'],
    ]
    const ids: string[] = []
    for (const word of words) {
      ids.push((await create()).id)
      task().word = word
    }
    await poll()
    const shown = await Promise.all(ids.map(show))
    const seen = new Set(shown.map(each => each.status))
    const legal = ['queued', 'in_progress', 'completed', 'failed']
    expect([...seen].filter(each => !legal.includes(each))).toEqual([])
    expect(seen.has('completed')).toBe(true)
    for (const each of vendor.tasks.values()) each.word = api.words.failed
    await poll()
  })

  it.each([
    ...['https://api.openai.com/v1/files/file-abc/content', 'gs://bucket/a.png', 'files/abc'],
    ...['file:///etc/passwd', 'https://generativelanguage.googleapis.com/v1beta/files/abc'],
  ])('%s is never sent a link to what is not the caller’s', async input_reference => {
    const made = vendor.tasks.size
    await expect(create({ ...api.fields, input_reference })).rejects.toMatchObject({
      status: expect.toBeOneOf([400, 404]),
    })
    expect(vendor.tasks.size).toBe(made)
  })

  it.each(['file_id', 'video_id', 'origin_task_id'])(
    'S26 is never sent a %s that is not the caller’s',
    async name => {
      const made = vendor.tasks.size
      for (const value of [{ [name]: 'other' }, { reference: { [name]: 'other' } }])
        for (const fields of [value, { metadata: value }, { input_reference: value }])
          await expect(create({ ...api.fields, ...fields })).rejects.toMatchObject({
            status: expect.toBeOneOf([400, 404]),
          })
      expect(vendor.tasks.size).toBe(made)
    },
  )

  it('refuses a video whose length or size cannot be priced', async () => {
    const made = vendor.tasks.size
    for (const fields of api.refused)
      await expect(create(fields)).rejects.toMatchObject({ status: 400 })
    await setPrice(api.model, { type: 'times', tool_prices: { second_4k: 1 } })
    await expect(create()).rejects.toMatchObject({ status: 422 })
    expect(vendor.tasks.size).toBe(made)
  })
})

it('charges the tokens that Seedance reports, where its model is sold by the token', async () => {
  const api = videoApis.find(each => each.name === 'Seedance')!
  vendor.api = api
  vendor.tasks.clear()
  await setPrice(api.model, { type: 'tokens', input: 1, output: 1 })
  const body = { model: api.model, prompt: 'A dog', ...api.fields }
  expect((await hub.post('/v1/videos', body)).status).toBe(200)
  const [hold] = await hub.app.app.db.selectFrom('holds').select('amount').execute()
  expect(hold!.amount).toBeGreaterThanOrEqual(246_840)
  ;[...vendor.tasks.values()].at(-1)!.word = 'succeeded'
  await poll()
  expect((await lastCharge())?.amount).toBe(246_840)
  const refused = await hub.post('/v1/videos', { ...body, prompt: 'A dog --rs 1080p' })
  expect(refused.status).toBe(400)
})

describe('another gateway', () => {
  const create = async (fields: object): Promise<Json> => {
    vendor.api = newApi
    await setPrice('sora-2', { type: 'times', tool_prices: { second_720p: 0.01 } })
    return client.videos.create({ model: 'sora-2', prompt: 'A dog', ...fields } as Json)
  }
  const finish = async () => {
    ;[...vendor.tasks.values()].at(-1)!.word = 'completed'
    await poll()
  }

  it('remixes a video, of its length and at the account that has it', async () => {
    const { id } = await create({ seconds: '8', size: '1280x720' })
    await expect(client.videos.remix(id, { prompt: 'A cat' })).rejects.toMatchObject({
      status: 400,
    })
    await finish()
    const made = vendor.tasks.size
    const remixed = await client.videos.remix(id, { prompt: 'A cat' })
    expect(remixed).toMatchObject({ remixed_from_video_id: id, prompt: 'A cat', seconds: '8' })
    const call = vendor.calls.at(-1)!
    expect([call.path, call.body]).toEqual([`/v1/videos/t${made - 1}/remix`, { prompt: 'A cat' }])
    await finish()
    expect((await client.videos.retrieve(remixed.id)).status).toBe('completed')
    expect((await lastCharge())?.amount).toBe(40_000)
    const wrong = client.post(`/videos/${id}/remix`, { body: { prompt: 'A cat', seconds: '4' } })
    await expect(wrong).rejects.toMatchObject({ status: 400 })
    expect(vendor.tasks.size).toBe(made + 1)
  })

  it('is not asked for a video of unknown length at a price per second', async () => {
    const made = vendor.tasks.size
    await expect(create({ size: '1280x720' })).rejects.toMatchObject({ status: 422 })
    expect(vendor.tasks.size).toBe(made)
    await setPrice('sora-2', { type: 'times', input: 10, output: 10 })
    const body = { model: 'sora-2', prompt: 'A dog' }
    expect((await hub.post('/v1/videos', body)).status).toBe(200)
    expect([...vendor.tasks.values()].at(-1)!.body).toEqual(body)
    await finish()
    expect((await lastCharge())?.amount).toBe(10_000)
  })

  it('may be this gateway: the video passes through both', async () => {
    vendor.api = wan
    await hub.addChannel(wan.type, 'wan-inner', {
      base_url: vendor.url,
      model_mapping: JSON.stringify({ 'wan-inner': `+${wan.model}` }),
    })
    await hub.addChannel(8, 'wan-outer', {
      ...{ base_url: `${hub.url}/v1`, key: hub.key },
      model_mapping: JSON.stringify({ 'wan-outer': '+wan-inner' }),
    })
    for (const model of ['wan-inner', 'wan-outer'])
      await setPrice(model, { type: 'times', tool_prices: { second_720p: 0.01 } })
    const image = 'https://a.example/i.png'
    const size = '1280x720'
    const body = { model: 'wan-outer', prompt: 'A dog', seconds: '5', size, input_reference: image }
    const { id } = await client.videos.create(body as Json)
    const task = [...vendor.tasks.values()].at(-1)!
    expect(task.body.input.media).toEqual([{ type: 'first_frame', url: image }])
    task.word = wan.words.done
    await poll()
    await poll()
    expect((await client.videos.retrieve(id)).status).toBe('completed')
    const content = await client.videos.downloadContent(id)
    expect(Buffer.from(await content.arrayBuffer()).equals(vendor.video)).toBe(true)
    const refused = client.videos.remix(id, { prompt: 'A cat' })
    await expect(refused).rejects.toThrow(/400.*remixes no videos/)
  })
})

describe('Veo', () => {
  const [gemini, vertex] = googleApis
  const create = async (api: VideoApi, fields: object): Promise<Json> => {
    vendor.api = api
    await setPrice(api.model, { type: 'times', tool_prices: { second: 0.01 } })
    return client.videos.create({ model: api.model, prompt: 'A dog', ...fields } as Json)
  }
  const task = () => [...vendor.tasks.values()].at(-1)!
  const bytesBase64Encoded = vendor.image.toString('base64')

  it.each([gemini!, vertex!])('$name receives images as bytes, linked or sent', async api => {
    const linked = `${vendor.url}/storage/i.png`
    await create(api, { input_reference: linked, last_image: linked })
    const image = { bytesBase64Encoded, mimeType: 'image/png' }
    expect(task().body.instances).toEqual([{ prompt: 'A dog', image, lastFrame: image }])
    const file = new File([Uint8Array.from(vendor.image)], 'i.png', { type: 'image/png' })
    await create(api, { input_reference: file })
    expect(task().body.instances).toEqual([{ prompt: 'A dog', image }])
    const made = vendor.tasks.size
    const unreachable = 'http://10.0.0.1/i.png'
    await expect(create(api, { input_reference: unreachable })).rejects.toMatchObject({
      status: 400,
    })
    expect(vendor.tasks.size).toBe(made)
  })

  it.each([
    [gemini!, 'filtered', 'The prompt is against the rules.'],
    [vertex!, 'filtered', 'The prompt is against the rules.'],
    [vertex!, 'bucket', 'The provider made no video that can be delivered.'],
  ])('is not charged where it is done without a video: %#', async (api, word, message) => {
    const { id } = await create(api, {})
    task().word = word
    await poll()
    expect(await client.videos.retrieve(id)).toMatchObject({ status: 'failed', error: { message } })
    expect(await settlementOf(id)).toBe('released')
  })

  it('S5 S6 shows the key to no storage and no other host, and follows no redirect to a private one', async () => {
    const at = async (uri: string, location: string) => {
      const { id } = await create(gemini!, {})
      vendor.api = {
        ...gemini!,
        show: ({ id: name }) => ({
          ...{ name, done: true },
          response: { generateVideoResponse: { generatedSamples: [{ video: { uri } }] } },
        }),
        other: ({ path }) =>
          path === '/v1beta/files/v1:download' ? { status: 302, location } : undefined,
      }
      await poll()
      const headers = { authorization: `Bearer ${hub.key}` }
      const content = await fetch(`${hub.url}/v1/videos/${id}/content`, { headers })
      return [content.status, vendor.problems.filter(each => each.startsWith('a storage'))]
    }
    const elsewhere = 'http://10.0.0.1/v1beta/files/v1:download?alt=media'
    expect(await at(elsewhere, `${vendor.url}/storage/v.mp4`)).toEqual([200, []])
    expect(await at(elsewhere, 'http://10.0.0.1/v.mp4')).toEqual([410, []])
  })

  it('is not remixed, which Google does not offer', async () => {
    const { id } = await create(gemini!, {})
    task().word = 'done'
    await poll()
    const made = vendor.tasks.size
    const refused = client.videos.remix(id, { prompt: 'A cat' })
    await expect(refused).rejects.toThrow(/501.*remixes no videos/)
    expect(vendor.tasks.size).toBe(made)
  })

  it('sends no empty video where Vertex AI has forgotten the operation', async () => {
    const { id } = await create(vertex!, {})
    task().word = 'done'
    await poll()
    task().word = 'running'
    await expect(client.videos.downloadContent(id)).rejects.toMatchObject({ status: 410 })
  })
})
