import OpenAI from 'openai'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { pollTasks } from '../../src/tasks/polling/poll.ts'
import { type Json, useRelayHub } from '../relay-hub.ts'
import { type KlingVendor, startKlingVendor } from './kling-vendor.ts'

const port = () => Number(new URL(vendor.url).port)
let vendor: KlingVendor
const vendorStarted = startKlingVendor().then(started => {
  vendor = started
})
await vendorStarted
const hub = useRelayHub({ FETCH_PRIVATE_RANGES: '127.0.0.0/8', FETCH_PORTS: String(port()) })
let client: OpenAI
let stranger: OpenAI

const clientOf = (apiKey: string) => new OpenAI({ apiKey, baseURL: `${hub.url}/v1`, maxRetries: 0 })

const perSecond = 0.05

beforeAll(async () => {
  vendor.now = () => hub.app.clock.now
  await hub.addChannel(53, 'kling-v2-1,kling-flat,kling-unpriced', {
    base_url: vendor.url,
    key: vendor.key,
  })
  const price = async (model: string, fields: object) =>
    expect(
      (await hub.app.root.put(`/api/prices/single/${model}`, { model, locked: true, ...fields }))
        .status,
    ).toBe(200)
  await price('kling-v2-1', {
    ...{ type: 'times', input: 0, output: 0 },
    tool_prices: { second_std: perSecond },
  })
  await price('kling-flat', { type: 'times', input: 10, output: 10 })
  client = clientOf(hub.key)
  const person = await hub.app.person(1, { quota: 1_000_000 })
  const made = await person.post('/api/token/', { name: 'own', unlimited_quota: true })
  stranger = clientOf(made.body.data.key)
})
afterAll(() => vendor.close())
beforeEach(() => {
  vendor.override = undefined
})

/** Runs the job as if its time had come. */
const poll = async () => {
  const { db } = hub.app.app
  await db.updateTable('tasks').set({ run_at: 0 }).where('run_at', 'is not', null).execute()
  await pollTasks(hub.app.app)
}
const create = (fields: object = {}): Promise<Json> =>
  client.videos.create({ model: 'kling-v2-1', prompt: 'A dog', ...fields } as Json) as Json
const show = (id: string): Promise<Json> => client.videos.retrieve(id) as Json
const failure = (work: Promise<unknown>) =>
  work.then(
    () => expect.unreachable('it was answered'),
    (error: InstanceType<typeof OpenAI.APIError>) => error,
  )
const rowOf = (publicId: string) =>
  hub.app.app.db
    .selectFrom('tasks')
    .selectAll()
    .where('public_id', '=', publicId)
    .executeTakeFirstOrThrow()
const holds = async () =>
  (await hub.app.app.db.selectFrom('holds').select('amount').execute()).map(each => each.amount)
const chargesOf = (id: number) =>
  hub.app.app.db.selectFrom('transfers').select(['amount', 'kind']).where('id', '=', id).execute()
const upstreamOf = async (publicId: string) =>
  vendor.tasks.get((await rowOf(publicId)).upstream_id)!

describe('a video', () => {
  it('is held when it is submitted, charged once when it is done, and read as the vendor made it', async () => {
    const video = await create({ seconds: '10', size: '720x1280' })
    expect(video).toMatchObject({ object: 'video', status: 'queued', seconds: '10', progress: 0 })
    expect(await holds()).toEqual([10 * perSecond * 500_000])
    const task = await upstreamOf(video.id)
    expect(task.body).toEqual({
      ...{ model_name: 'kling-v2-1', prompt: 'A dog', duration: '10', mode: 'std' },
      aspect_ratio: '9:16',
    })
    task.status = 'processing'
    await poll()
    expect((await show(video.id)).status).toBe('in_progress')
    task.status = 'succeed'
    await poll()
    await poll()
    expect(await show(video.id)).toMatchObject({ status: 'completed', progress: 100, error: null })
    const { id } = await rowOf(video.id)
    expect(await chargesOf(id)).toEqual([{ amount: 250_000, kind: 'request' }])
    expect(await holds()).toEqual([])
    const content = await client.videos.downloadContent(video.id)
    expect(Buffer.from(await content.arrayBuffer()).equals(vendor.video)).toBe(true)
    expect(vendor.refused).toEqual([])
  })

  it('is released when the vendor fails', async () => {
    const video = await create()
    const task = await upstreamOf(video.id)
    Object.assign(task, { status: 'failed', message: 'The prompt is against the rules.' })
    await poll()
    expect(await show(video.id)).toMatchObject({
      status: 'failed',
      error: { message: 'The prompt is against the rules.' },
    })
    expect(await holds()).toEqual([])
    expect(await chargesOf((await rowOf(video.id)).id)).toEqual([])
  })

  it('stays in progress at an unknown word, and through failures of polls', async () => {
    const video = await create()
    const task = await upstreamOf(video.id)
    task.status = 'Pondering'
    await poll()
    expect((await show(video.id)).status).toBe('in_progress')
    for (const status of [429, 500, 503]) {
      vendor.override = () => ({ status, json: { code: 5000, message: 'busy' } })
      await poll()
      hub.app.clock.now += 10_000
    }
    vendor.override = () => 'reset'
    await poll()
    vendor.override = undefined
    expect((await show(video.id)).status).toBe('in_progress')
    task.status = 'succeed'
    await poll()
    expect((await show(video.id)).status).toBe('completed')
  })

  it('has one of the four documented states for each word of Kling and 50 others', async () => {
    const words = ['submitted', 'processing', 'succeed', 'failed']
    const others = Array.from({ length: 50 }, (_, at) => `word-${at}`)
    const states = new Map<string, string>()
    const ids = new Map<string, string>()
    for (const word of [...words, ...others]) {
      const { id } = await create()
      ids.set(word, id)
      Object.assign(await upstreamOf(id), { status: word })
    }
    await poll()
    for (const [word, id] of ids) states.set(word, (await show(id)).status)
    expect(words.map(each => states.get(each))).toEqual([
      ...['queued', 'in_progress', 'completed', 'failed'],
    ])
    expect(new Set(others.map(each => states.get(each)))).toEqual(new Set(['in_progress']))
    for (const task of vendor.tasks.values()) task.status = 'failed'
    await poll()
    expect(await holds()).toEqual([])
  })

  it('expires at its deadline without a charge, and is delivered free of charge when it comes later', async () => {
    const video = await create()
    const task = await upstreamOf(video.id)
    await hub.app.app.db
      .updateTable('tasks')
      .set({ deadline: Math.floor(hub.app.app.now() / 1_000) - 1 })
      .where('public_id', '=', video.id)
      .execute()
    await poll()
    expect((await show(video.id)).status).toBe('failed')
    expect(await holds()).toEqual([])
    task.status = 'succeed'
    await poll()
    expect((await show(video.id)).status).toBe('completed')
    expect(await chargesOf((await rowOf(video.id)).id)).toEqual([])
  })

  it('is refused without a price for its dimensions, before the vendor is asked', async () => {
    const before = vendor.tasks.size
    const refused = await failure(create({ metadata: { mode: 'pro' } }))
    expect([refused.status, refused.code]).toEqual([422, 'model_price_unknown'])
    expect((await failure(create({ model: 'kling-unpriced' }))).status).toBe(422)
    expect(vendor.tasks.size).toBe(before)
    expect(await holds()).toEqual([])
  })

  it.each([
    [{ seconds: '99' }, 'duration'],
    [{ seconds: '1.5' }, 'seconds'],
    [{ size: 'large' }, 'size'],
    [{ colour: 'red' }, 'colour'],
    [{ n: 2 }, 'n'],
    [{ prompt: '' }, 'prompt'],
    [{ metadata: { mode: 'best' } }, 'mode'],
    [{ input_reference: 'file:///etc/passwd' }, 'input_reference'],
  ])('is refused with the name of a wrong field: %j', async (fields, name) => {
    const refused = await failure(create(fields))
    expect(refused.status).toBe(400)
    expect(refused.message).toContain(`'${name}'`)
  })

  it.each([
    [{ negative_prompt: 'cats', cfg_scale: 0.7 }, undefined],
    [{ negative_prompt: 'cats', multi_shot: true }, 'multi_shot'],
    [{ quality: 'ultra' }, 'quality'],
  ])('at a price per call passes or is refused for its metadata: %j', async (metadata, name) => {
    const before = vendor.tasks.size
    const made = create({ model: 'kling-flat', metadata })
    if (name === undefined) {
      expect((await upstreamOf((await made).id)).body).toMatchObject(metadata)
      return
    }
    const refused = await failure(made)
    expect([refused.status, refused.code]).toEqual([400, 'request_price_field'])
    expect(refused.message).toContain(`'metadata.${name}'`)
    expect(vendor.tasks.size).toBe(before)
  })

  it('S26 is not found by another user, in any way', async () => {
    const video = await create()
    const statuses = await Promise.all(
      [
        stranger.videos.retrieve(video.id),
        stranger.videos.delete(video.id),
        stranger.videos.remix(video.id, { prompt: 'A cat' }),
        stranger.videos.downloadContent(video.id),
        stranger.get(`/video/generations/${video.id}`),
        stranger.videos.list({ after: video.id }),
      ].map(async work => (await failure(work as Promise<unknown>)).status),
    )
    expect(statuses).toEqual([404, 404, 404, 404, 404, 404])
    expect((await stranger.videos.list()).data).toEqual([])
  })

  it('is listed, and deleted once it has ended', async () => {
    const video = await create({ model: 'kling-flat' })
    expect((await failure(client.videos.delete(video.id))).status).toBe(409)
    expect((await failure(client.videos.downloadContent(video.id))).status).toBe(409)
    ;(await upstreamOf(video.id)).status = 'succeed'
    await poll()
    expect(await chargesOf((await rowOf(video.id)).id)).toMatchObject([{ amount: 10_000 }])
    const page = await client.videos.list({ limit: 1 })
    expect(page.data.map(each => each.id)).toEqual([video.id])
    expect(page.hasNextPage()).toBe(true)
    expect(await client.videos.delete(video.id)).toMatchObject({ deleted: true })
    expect((await failure(show(video.id))).status).toBe(404)
  })

  it('is released when the vendor refuses it, and not tried elsewhere when its answer is lost', async () => {
    const before = await holds()
    vendor.override = () => ({ status: 400, json: { code: 1201, message: 'Bad field.' } })
    const refused = await failure(create())
    expect([refused.status, refused.message]).toEqual([400, expect.stringContaining('Bad field.')])
    vendor.override = method => (method === 'POST' ? 'reset' : undefined)
    expect((await failure(create())).status).toBe(502)
    expect(await holds()).toEqual(before)
    const rows = await hub.app.app.db
      .selectFrom('tasks')
      .select(['state', 'settlement', 'orphan'])
      .orderBy('id', 'desc')
      .limit(2)
      .execute()
    expect(rows).toEqual([
      { state: 'failed', settlement: 'released', orphan: 1 },
      { state: 'failed', settlement: 'released', orphan: 0 },
    ])
  })

  it('is submitted and charged once with an Idempotency-Key', async () => {
    const before = vendor.tasks.size
    const headers = { 'idempotency-key': 'video-1' }
    const body = { model: 'kling-flat', prompt: 'A cat' }
    const answers = await Promise.all([1, 2, 3].map(() => hub.post('/v1/videos', body, headers)))
    const ids = await Promise.all(answers.map(async each => ((await each.json()) as Json).id))
    expect(new Set(ids).size).toBe(1)
    expect(vendor.tasks.size).toBe(before + 1)
  })

  it('S26 is sent in parts, and by a signed address that nobody can forge', async () => {
    const video = await create()
    ;(await upstreamOf(video.id)).status = 'succeed'
    await poll()
    const part = await fetch(`${hub.url}/v1/videos/${video.id}/content`, {
      headers: { authorization: `Bearer ${hub.key}`, range: 'bytes=100-199' },
    })
    expect([part.status, part.headers.get('content-range')]).toEqual([206, 'bytes 100-199/300000'])
    expect(Buffer.from(await part.arrayBuffer()).equals(vendor.video.subarray(100, 200))).toBe(true)
    const shown: Json = await client.get(`/video/generations/${video.id}`)
    expect(shown.data).toMatchObject({ status: 'SUCCESS', progress: '100%', fail_reason: '' })
    const signed = await fetch(shown.data.result_url)
    expect([signed.status, (await signed.arrayBuffer()).byteLength]).toEqual([200, 300_000])
    const forged = await fetch(shown.data.result_url.replace(/expires=\d/, 'expires=9'))
    expect(forged.status).toBe(401)
  })
})

it('S6 a result at a private address is not fetched, and no vendor address is shown', async () => {
  const video = await create()
  const task = await upstreamOf(video.id)
  Object.assign(task, { status: 'succeed', videoUrl: `http://[::1]:${port()}/storage/v.mp4` })
  await poll()
  const refused = await failure(client.videos.downloadContent(video.id))
  expect(refused.status).toBe(410)
  expect(JSON.stringify(await show(video.id))).not.toContain('/storage/')
})

describe("Kling's own interface", () => {
  it('answers in its shape, with ids and addresses of the gateway', async () => {
    await hub.addChannel(53, 'kling-video_kling-v1_std_5', {
      base_url: vendor.url,
      key: vendor.key,
    })
    await hub.app.root.put('/api/prices/single/kling-video_kling-v1_std_5', {
      ...{ model: 'kling-video_kling-v1_std_5', type: 'times', input: 7, output: 7, locked: true },
    })
    const made = await hub.post('/kling/v1/videos/text2video', { prompt: 'A bird', cfg_scale: 0.5 })
    const body = (await made.json()) as Json
    expect(body).toMatchObject({ code: 0, data: { task_status: 'submitted' } })
    const task = await upstreamOf(body.data.task_id)
    expect(task.body).toMatchObject({ model_name: 'kling-v1', prompt: 'A bird', cfg_scale: 0.5 })
    task.status = 'succeed'
    await poll()
    const shown: Json = await (
      await fetch(`${hub.url}/kling/v1/videos/text2video/${body.data.task_id}`, {
        headers: { authorization: `Bearer ${hub.key}` },
      })
    ).json()
    expect(shown.data).toMatchObject({ task_id: body.data.task_id, task_status: 'succeed' })
    const [video] = shown.data.task_result.videos
    expect(video.url.startsWith(hub.url)).toBe(true)
    expect((await (await fetch(video.url)).arrayBuffer()).byteLength).toBe(300_000)
    expect(JSON.stringify(shown)).not.toContain(vendor.url)
    expect(await chargesOf((await rowOf(body.data.task_id)).id)).toMatchObject([{ amount: 7_000 }])
  })
})
