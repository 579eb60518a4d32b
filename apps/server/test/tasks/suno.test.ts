import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { pollTasks } from '../../src/tasks/polling/poll.ts'
import { type Json, useRelayHub } from '../relay-hub.ts'
import { type SunoVendor, startSunoVendor } from './suno-vendor.ts'

const vendor: SunoVendor = await startSunoVendor()
const { port } = new URL(vendor.url)
const hub = useRelayHub({ FETCH_PRIVATE_RANGES: '127.0.0.0/8', FETCH_PORTS: port })
let strangerKey: string

const price = (model: string, points: number) =>
  hub.app.root.put(`/api/prices/single/${model}`, {
    ...{ model, type: 'times', input: points / 1_000, output: points / 1_000, locked: true },
  })

beforeAll(async () => {
  const channel = { base_url: vendor.url, key: vendor.key }
  await hub.addChannel(41, 'suno_lyrics,chirp-v3-0,chirp-v4', channel)
  await price('suno_lyrics', 5_000)
  await price('chirp-v3-0', 50_000)
  const person = await hub.app.person(1, { quota: 1_000_000 })
  const made = await person.post('/api/token/', { name: 'own', unlimited_quota: true })
  strangerKey = made.body.data.key
})
afterAll(() => vendor.close())
beforeEach(() => {
  vendor.override = undefined
})

const submit = async (action: string, body: object, key = hub.key) => {
  const response = await hub.post(`/suno/submit/${action}`, body, {
    authorization: `Bearer ${key}`,
  })
  return { status: response.status, body: (await response.json()) as Json }
}
const fetchTask = async (id: string, key = hub.key) => {
  const headers = { authorization: `Bearer ${key}` }
  const response = await fetch(`${hub.url}/suno/fetch/${id}`, { headers })
  return { status: response.status, body: (await response.json()) as Json }
}
const fetchTasks = async (ids: unknown, key = hub.key): Promise<Json> =>
  (await hub.post('/suno/fetch', { ids }, { authorization: `Bearer ${key}` })).json()
const poll = async () => {
  const { db } = hub.app.app
  await db.updateTable('tasks').set({ run_at: 0 }).where('run_at', 'is not', null).execute()
  await pollTasks(hub.app.app)
}
const rowOf = (publicId: string) =>
  hub.app.app.db
    .selectFrom('tasks')
    .selectAll()
    .where('public_id', '=', publicId)
    .executeTakeFirstOrThrow()
const upstreamOf = async (publicId: string) =>
  vendor.tasks.get((await rowOf(publicId)).upstream_id)!
const holds = async () =>
  (await hub.app.app.db.selectFrom('holds').select('amount').execute()).map(each => each.amount)
const chargesOf = async (publicId: string) => {
  const { id } = await rowOf(publicId)
  const rows = hub.app.app.db.selectFrom('transfers').select('amount').where('id', '=', id)
  return (await rows.execute()).map(each => each.amount)
}

/** A song that the vendor has finished. */
const makeSong = async (key = hub.key): Promise<string> => {
  const { body } = await submit('music', { prompt: 'A song about rain', tags: 'jazz' }, key)
  ;(await upstreamOf(body.data)).status = 'SUCCESS'
  await poll()
  return body.data
}

describe('a song', () => {
  it('is held when it is submitted, charged once when it is done, and read at this gateway', async () => {
    const made = await submit('Music', { gpt_description_prompt: 'Rain', make_instrumental: true })
    expect(made).toEqual({
      status: 200,
      body: { code: 'success', message: '', data: expect.stringMatching(/^task_\w{32}$/) },
    })
    const id: string = made.body.data
    expect(await holds()).toEqual([50_000])
    const task = await upstreamOf(id)
    expect(task.body).toEqual({
      ...{ gpt_description_prompt: 'Rain', make_instrumental: true, mv: 'chirp-v3-0' },
    })
    expect((await fetchTask(id)).body.data).toMatchObject({ status: 'QUEUED', progress: '0%' })
    Object.assign(task, { status: 'IN_PROGRESS', progress: '30%' })
    await poll()
    expect((await fetchTask(id)).body.data).toMatchObject({
      ...{ task_id: id, action: 'MUSIC', status: 'IN_PROGRESS', progress: '30%', data: null },
    })
    task.status = 'SUCCESS'
    await poll()
    await poll()
    expect(await chargesOf(id)).toEqual([50_000])
    expect(await holds()).toEqual([])
    const shown = await fetchTask(id)
    expect(shown.body).toMatchObject({ code: 'success', message: '' })
    expect(shown.body.data).toMatchObject({ status: 'SUCCESS', progress: '100%', fail_reason: '' })
    expect(shown.body.data.finish_time).toBeGreaterThan(0)
    const [song] = shown.body.data.data
    expect(song).toMatchObject({ title: 'Happy weekend', metadata: { duration: 128.92 } })
    for (const name of ['audio_url', 'video_url', 'image_url', 'image_large_url'])
      expect(song[name]).toContain(`${hub.url}/v1/videos/${id}/content?`)
    const audio = await fetch(song.audio_url)
    expect(Buffer.from(await audio.arrayBuffer()).equals(vendor.audio)).toBe(true)
  })

  it('S24 shows neither an address of the provider nor its account', async () => {
    const text = JSON.stringify((await fetchTask(await makeSong())).body)
    expect(text).not.toContain('user_id')
    expect(text).not.toContain(vendor.url)
    expect(text).not.toContain('/cdn/')
  })

  it('is released with its reason when the vendor fails', async () => {
    const { body } = await submit('music', { prompt: 'x' })
    Object.assign(await upstreamOf(body.data), { status: 'FAILURE', reason: 'Banned lyrics.' })
    await poll()
    expect((await fetchTask(body.data)).body.data).toMatchObject({
      ...{ status: 'FAILURE', fail_reason: 'Banned lyrics.', progress: '100%', data: null },
    })
    expect([await holds(), await chargesOf(body.data)]).toEqual([[], []])
  })

  it('stays in progress at an unknown word, and through failures of polls', async () => {
    const { body } = await submit('music', { prompt: 'x' })
    const task = await upstreamOf(body.data)
    task.status = 'UNKNOWN'
    await poll()
    vendor.override = () => ({ status: 500, json: { code: 'fail', message: 'busy' } })
    await poll()
    vendor.override = undefined
    expect((await fetchTask(body.data)).body.data.status).toBe('IN_PROGRESS')
    task.status = 'SUCCESS'
    await poll()
    expect((await fetchTask(body.data)).body.data.status).toBe('SUCCESS')
  })

  it('continues a clip of an earlier one at the same account', async () => {
    const first = await makeSong()
    const clip = (await fetchTask(first)).body.data.data[0].id
    const fields = { task_id: first, continue_clip_id: clip, continue_at: 30, prompt: 'more' }
    const made = await submit('music', fields)
    expect(made.status).toBe(200)
    expect((await upstreamOf(made.body.data)).body).toMatchObject({
      ...{ task_id: (await rowOf(first)).upstream_id, continue_clip_id: clip, continue_at: 30 },
    })
    expect((await submit('music', { continue_clip_id: clip })).status).toBe(400)
    ;(await upstreamOf(made.body.data)).status = 'SUCCESS'
    await poll()
  })

  it('S26 cannot be read or continued by another user, nor by a clip of another task', async () => {
    const mine = await makeSong()
    const theirs = await makeSong(strangerKey)
    const clip = (await fetchTask(mine)).body.data.data[0].id
    expect(await fetchTask(mine, strangerKey)).toMatchObject({
      ...{ status: 404, body: { code: 'task_not_exist', message: expect.any(String) } },
    })
    expect((await fetchTasks([mine, theirs], strangerKey)).data).toMatchObject([
      { task_id: theirs },
    ])
    for (const task_id of [mine, theirs]) {
      const refused = await submit('music', { task_id, continue_clip_id: clip }, strangerKey)
      expect([refused.status, refused.body.code]).toEqual([404, 'task_not_exist'])
    }
  })
})

it('lyrics have a price and a text of their own', async () => {
  const { body } = await submit('lyrics', { prompt: 'neon' })
  ;(await upstreamOf(body.data)).status = 'SUCCESS'
  await poll()
  expect(await chargesOf(body.data)).toEqual([5_000])
  expect((await fetchTask(body.data)).body.data).toMatchObject({
    ...{ action: 'LYRICS', data: { title: 'Electric Fantasy', status: 'complete' } },
  })
  const listed = (await hub.app.root.get(`/api/task/?task_id=${body.data}`)).body.data.data[0]
  expect(listed.results).toEqual([
    { title: 'Electric Fantasy', tags: '', text: '[Verse]\nDancing in the neon light', files: [] },
  ])
})

it('many tasks are polled in one request, and read in one', async () => {
  const made = await Promise.all(Array.from({ length: 12 }, () => submit('music', { prompt: 'x' })))
  const ids = made.map(each => each.body.data as string)
  vendor.batches.length = 0
  await poll()
  expect(vendor.batches).toEqual([12])
  const shown = await fetchTasks([...ids, 'task_unknown'])
  expect(shown).toMatchObject({ code: 'success', message: '' })
  expect(shown.data.map((each: Json) => each.task_id).sort()).toEqual([...ids].sort())
  for (const id of ids) (await upstreamOf(id)).status = 'FAILURE'
  await poll()
  expect(await holds()).toEqual([])
})

it.each([
  ['dance', { prompt: 'x' }, 400, "'music' or 'lyrics'"],
  ['music', { mv: 3 }, 400, "'mv'"],
  ['lyrics', {}, 400, "'prompt'"],
  ['music', { notify_hook: 'https://a.test' }, 400, "'notify_hook'"],
  ['music', { mv: 'chirp-nowhere' }, 404, ''],
])(
  '%s %j is refused in the dialect, before anything is held',
  async (action, fields, status, text) => {
    const before = vendor.tasks.size
    const refused = await submit(action, fields)
    expect(refused).toMatchObject({
      ...{ status, body: { code: expect.any(String), message: expect.stringContaining(text) } },
    })
    expect([vendor.tasks.size, await holds()]).toEqual([before, []])
  },
)

it('a key that is unknown and a price that is missing are refused in the dialect', async () => {
  const unknown = await submit('music', { prompt: 'x' }, 'sk-nobody')
  expect(unknown).toMatchObject({ status: 401, body: { code: expect.any(String) } })
  expect(Object.keys(unknown.body).sort()).toEqual(['code', 'message'])
  await hub.app.root.put('/api/prices/single/chirp-v4', {
    ...{ model: 'chirp-v4', type: 'tokens', input: 1, output: 1, locked: true },
  })
  const unpriced = await submit('music', { mv: 'chirp-v4', prompt: 'x' })
  expect(unpriced).toMatchObject({ status: 422, body: { code: 'model_price_unknown' } })
})

it('a refusal of the vendor is passed on, and a lost answer is an orphan that nobody pays', async () => {
  vendor.override = () => ({ status: 400, json: { code: 'bad_tags', message: 'Bad tags.' } })
  expect(await submit('music', { prompt: 'x' })).toMatchObject({
    ...{ status: 400, body: { message: expect.stringContaining('Bad tags.') } },
  })
  vendor.override = method => (method === 'POST' ? 'reset' : undefined)
  expect((await submit('music', { prompt: 'x' })).status).toBe(502)
  expect(await holds()).toEqual([])
  const orphans = (await hub.app.root.get('/api/task/?orphan=true&platform=suno')).body.data.data
  expect(orphans).toMatchObject([{ status: 'FAILURE', billing: 'released', action: 'MUSIC' }])
})

it('is submitted once with an Idempotency-Key', async () => {
  const before = vendor.tasks.size
  const headers = { 'idempotency-key': 'song-1' }
  const answers = await Promise.all(
    [1, 2, 3].map(() => hub.post('/suno/submit/music', { prompt: 'x' }, headers)),
  )
  const ids = await Promise.all(answers.map(async each => ((await each.json()) as Json).data))
  expect([new Set(ids).size, vendor.tasks.size]).toEqual([1, before + 1])
})
