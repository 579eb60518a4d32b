import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { pollTasks } from '../../src/tasks/polling/poll.ts'
import { type Json, useRelayHub } from '../relay-hub.ts'
import {
  type MidjourneyProxy,
  type ProxyTask,
  startMidjourneyProxy,
  succeed,
} from './midjourney-proxy.ts'

const proxy: MidjourneyProxy = await startMidjourneyProxy()
const port = new URL(proxy.url).port
const hub = useRelayHub({ FETCH_PRIVATE_RANGES: '127.0.0.0/8', FETCH_PORTS: port })
let strangerKey: string

const actions = [
  ...['imagine', 'describe', 'blend', 'shorten', 'edits', 'upload', 'swap_face', 'video'],
  ...['upscale', 'variation', 'reroll', 'modal', 'inpaint', 'custom_zoom', 'high_variation'],
]
const prices: Readonly<Record<string, number>> = { mj_inpaint: 0, mj_custom_zoom: 0, mj_upload: 0 }
const defaultPrice = 50
/** A price of 1 is 0.002 USD, and 500,000 points are one USD. */
const pointsOf = (price: number) => price * 1_000

beforeAll(async () => {
  const models = [...actions.map(each => `mj_${each}`), 'mj_turbo_imagine', 'mj_relax_imagine']
  await hub.addChannel(34, models.join(), {
    ...{ name: 'Midjourney', base_url: proxy.url, key: proxy.secret },
  })
  for (const model of models) {
    const input = prices[model] ?? (model === 'mj_turbo_imagine' ? 90 : defaultPrice)
    const price = { model, type: 'times', input, output: input, locked: true }
    expect((await hub.app.root.put(`/api/prices/single/${model}`, price)).status).toBe(200)
  }
  const person = await hub.app.person(1, { quota: 1_000_000 })
  const made = await person.post('/api/token/', { name: 'own', unlimited_quota: true })
  strangerKey = made.body.data.key
})
afterAll(() => proxy.close())
beforeEach(() => {
  proxy.override = undefined
})

const call = async (path: string, body?: unknown, key = hub.key) => {
  const response = await fetch(`${hub.url}${path}`, {
    ...(body !== undefined && { method: 'POST', body: JSON.stringify(body) }),
    // Clients of the proxies send both.
    headers: {
      'content-type': 'application/json',
      ...{ 'mj-api-secret': key, authorization: 'Bearer midjourney-proxy' },
    },
  })
  return { status: response.status, body: (await response.json()) as Json }
}
const submit = (path: string, body: Json = { prompt: 'Cat' }, key?: string) =>
  call(`/mj/submit/${path}`, body, key)
const show = async (id: string): Promise<Json> => (await call(`/mj/task/${id}/fetch`)).body
const rowOf = (publicId: string) =>
  hub.app.app.db
    .selectFrom('tasks')
    .selectAll()
    .where('public_id', '=', publicId)
    .executeTakeFirstOrThrow()
const upstreamOf = async (publicId: string): Promise<ProxyTask> =>
  proxy.tasks.get((await rowOf(publicId)).upstream_id)!
const poll = async () => {
  const { db } = hub.app.app
  await db.updateTable('tasks').set({ run_at: 0 }).where('run_at', 'is not', null).execute()
  await pollTasks(hub.app.app)
}
const holds = async () =>
  (await hub.app.app.db.selectFrom('holds').select('amount').execute()).map(each => each.amount)
const chargesOf = async (publicId: string) => {
  const { id } = await rowOf(publicId)
  const rows = await hub.app.app.db
    .selectFrom('transfers')
    .select('amount')
    .where('id', '=', id)
    .execute()
  return rows.map(each => each.amount)
}

/** A task that has succeeded. */
const finished = async (path = 'imagine', body?: Json): Promise<string> => {
  const { result } = (await submit(path, body)).body
  succeed(proxy, await upstreamOf(result))
  await poll()
  return result
}

const hash = '3dbbd469-36af-4a0f-8f02-df6c579e7011'

describe('an image', () => {
  it('is held when it is submitted, shown while it is made, and charged once', async () => {
    const made = await submit('imagine', {
      prompt: 'Cat --turbo',
      state: 'mine',
      botType: 'NIJI_JOURNEY',
    })
    expect(made).toEqual({
      status: 200,
      body: {
        code: 1,
        description: '提交成功',
        result: expect.stringMatching(/^\d+$/),
        properties: {},
      },
    })
    const id = made.body.result
    expect(await holds()).toEqual([pointsOf(defaultPrice)])
    const task = await upstreamOf(id)
    expect(task.body).toEqual({
      ...{ prompt: 'Cat', state: 'mine', botType: 'NIJI_JOURNEY' },
      accountFilter: { modes: ['FAST'] },
    })
    expect(await show(id)).toMatchObject({ id, status: 'SUBMITTED', progress: '0%', imageUrl: '' })
    Object.assign(task, { status: 'IN_PROGRESS', progress: '42%' })
    await poll()
    expect(await show(id)).toMatchObject({ status: 'IN_PROGRESS', progress: '42%', finishTime: 0 })
    task.more = {
      buttons: [
        {
          customId: `MJ::JOB::upsample::1::${hash}`,
          emoji: '',
          label: 'U1',
          type: 2,
          style: 2,
          secret: 1,
        },
      ],
    }
    succeed(proxy, task)
    await poll()
    await poll()
    const shown = await show(id)
    expect(shown).toMatchObject({
      ...{ id, action: 'IMAGINE', status: 'SUCCESS', progress: '100%', failReason: '' },
      ...{ prompt: 'Cat', promptEn: 'Cat', description: `/imagine ${id}`, state: 'mine' },
      ...{ botType: 'NIJI_JOURNEY', properties: { finalPrompt: 'Cat', finalZhPrompt: '' } },
      buttons: [
        { customId: `MJ::JOB::upsample::1::${hash}`, emoji: '', label: 'U1', type: 2, style: 2 },
      ],
    })
    expect(JSON.stringify(shown)).not.toContain(proxy.url)
    expect(JSON.stringify(shown)).not.toContain('111813')
    expect(await chargesOf(id)).toEqual([pointsOf(defaultPrice)])
    expect(await holds()).toEqual([])
    const image = await fetch(shown.imageUrl)
    expect(image.headers.get('content-type')).toBe('image/png')
    expect(Buffer.from(await image.arrayBuffer()).equals(proxy.image)).toBe(true)
  })

  it('is released when it fails, with the reason of the proxy', async () => {
    const { result } = (await submit('imagine')).body
    const failReason = '[Invalid parameter] Invalid value'
    Object.assign(await upstreamOf(result), { status: 'FAILURE', failReason })
    await poll()
    expect(await show(result)).toMatchObject({ status: 'FAILURE', progress: '100%', failReason })
    expect([await holds(), await chargesOf(result)]).toEqual([[], []])
  })

  it('stays in progress at an unknown word, and through failures of polls', async () => {
    const { result } = (await submit('imagine')).body
    const task = await upstreamOf(result)
    task.status = 'PONDERING'
    await poll()
    for (const status of [401, 429, 500]) {
      proxy.override = () => ({ status, json: { code: 5, description: 'busy' } })
      await poll()
      // A vendor that answers 429 is not asked again at once.
      hub.app.clock.now += 10_000
    }
    proxy.override = () => 'reset'
    await poll()
    proxy.override = undefined
    expect((await show(result)).status).toBe('IN_PROGRESS')
    succeed(proxy, task)
    await poll()
    expect((await show(result)).status).toBe('SUCCESS')
  })

  it('is asked for together with the other tasks of its account', async () => {
    const ids = await Promise.all([1, 2, 3].map(async () => (await submit('imagine')).body.result))
    const upstream = await Promise.all(ids.map(async id => (await upstreamOf(id)).id))
    proxy.polls.length = 0
    await poll()
    expect(proxy.polls).toHaveLength(1)
    expect(proxy.polls[0]).toEqual(expect.arrayContaining(upstream))
    for (const id of ids) succeed(proxy, await upstreamOf(id))
    await poll()
    const listed = await call('/mj/task/list-by-condition', { ids: [...ids, '1'] })
    expect(listed.body.map((each: Json) => [each.id, each.status])).toEqual(
      ids.toSorted().map(id => [id, 'SUCCESS']),
    )
  })

  it.each([
    ['/mj-turbo/mj', 'TURBO', 90],
    ['/turbo/mj', 'TURBO', 90],
    ['/relax/mj', 'RELAX', defaultPrice],
    ['/mj-fast/mj', 'FAST', defaultPrice],
    ['/fast/mj', 'FAST', defaultPrice],
  ])('by %s is made in the mode %s at its price', async (prefix, mode, price) => {
    const { body } = await call(`${prefix}/submit/imagine`, { prompt: 'Cat --fast --relax' })
    const task = await upstreamOf(body.result)
    expect(task.body).toEqual({ prompt: 'Cat', accountFilter: { modes: [mode] } })
    succeed(proxy, task)
    await poll()
    expect(await chargesOf(body.result)).toEqual([pointsOf(price)])
    expect((await call(`${prefix}/task/${body.result}/fetch`)).body.status).toBe('SUCCESS')
  })

  it('in another mode is refused', async () => {
    expect(await call('/slow/mj/submit/imagine', { prompt: 'Cat' })).toMatchObject({
      ...{ status: 400, body: { code: 4, type: 'one_hub_error' } },
    })
  })
})

describe('each path', () => {
  it.each([
    ['submit/describe', { base64: 'data:image/png;base64,xxx' }, 'DESCRIBE'],
    ['submit/blend', { base64Array: ['data:a', 'data:b'], dimensions: 'SQUARE' }, 'BLEND'],
    ['submit/shorten', { prompt: 'A long cat' }, 'SHORTEN'],
    ['submit/edits', { prompt: 'With a hat', image: 'data:a' }, 'EDITS'],
    ['submit/video', { prompt: 'It runs', motion: 'low', image: 'data:a' }, 'VIDEO'],
    ['insight-face/swap', { sourceBase64: 'data:a', targetBase64: 'data:b' }, 'SWAP_FACE'],
  ])('%s makes a task', async (path, body, action) => {
    const made = await call(`/mj/${path}`, body)
    expect(made).toMatchObject({ status: 200, body: { code: 1 } })
    const task = await upstreamOf(made.body.result)
    expect(task).toMatchObject({ path, body })
    expect(await show(made.body.result)).toMatchObject({ action })
    succeed(proxy, task)
    await poll()
    expect(await chargesOf(made.body.result)).toEqual([pointsOf(defaultPrice)])
  })

  it.each([
    ['submit/change', (taskId: string) => ({ taskId, action: 'UPSCALE', index: 2 }), 'UPSCALE'],
    ['submit/change', (taskId: string) => ({ taskId, action: 'REROLL' }), 'REROLL'],
    ['submit/simple-change', (id: string) => ({ content: `${id} V3` }), 'VARIATION'],
    [
      'submit/action',
      (taskId: string) => ({ taskId, customId: `MJ::JOB::high_variation::1::${hash}` }),
      'HIGH_VARIATION',
    ],
    ['submit/video', (taskId: string) => ({ taskId, index: 0, motion: 'high' }), 'VIDEO'],
  ])('%s continues a task at its account', async (path, bodyOf, action) => {
    const origin = await finished()
    const made = await call(`/mj/${path}`, bodyOf(origin))
    expect(made).toMatchObject({ status: 200, body: { code: 1 } })
    const task = await upstreamOf(made.body.result)
    const upstreamId = (await upstreamOf(origin)).id
    expect(task.body).toMatchObject(bodyOf(upstreamId))
    expect(await show(made.body.result)).toMatchObject({ action, prompt: 'Cat' })
    succeed(proxy, task)
    await poll()
    expect(await chargesOf(made.body.result)).toEqual([pointsOf(defaultPrice)])
  })

  it('submit/action opens a window free of charge, and submit/modal confirms it at its price', async () => {
    const origin = await finished()
    const customId = `MJ::CustomZoom::${hash}`
    const window = (await submit('action', { taskId: origin, customId })).body
    expect(window).toMatchObject({ code: 21, result: expect.stringMatching(/^\d+$/) })
    await poll()
    expect(await show(window.result)).toMatchObject({ status: 'MODAL', customId })
    const { body } = await submit('modal', { taskId: window.result, prompt: 'Cat --zoom 2' })
    expect(body).toMatchObject({ code: 1, result: expect.stringMatching(/^\d+$/) })
    expect(body.result).not.toBe(window.result)
    succeed(proxy, await upstreamOf(body.result))
    await poll()
    expect(await show(body.result)).toMatchObject({
      status: 'SUCCESS',
      action: 'MODAL',
      prompt: 'Cat --zoom 2',
    })
    expect([await chargesOf(window.result), await chargesOf(body.result)]).toEqual([
      [0],
      [pointsOf(defaultPrice)],
    ])
  })

  it('submit/upload-discord-images ends at once with the addresses', async () => {
    const { body } = await submit('upload-discord-images', { base64Array: ['data:a', 'data:b'] })
    expect(body).toMatchObject({
      code: 1,
      result: [`${proxy.url}/storage/0.png`, `${proxy.url}/storage/1.png`],
    })
    const row = await hub.app.app.db
      .selectFrom('tasks')
      .select(['state', 'settlement', 'run_at'])
      .where('action', '=', 'UPLOAD')
      .executeTakeFirstOrThrow()
    expect(row).toEqual({ state: 'completed', settlement: 'charged', run_at: null })
    expect(await holds()).toEqual([])
  })

  it('task/:id/image-seed is asked of the proxy', async () => {
    const id = await finished()
    expect(await call(`/mj/task/${id}/image-seed`)).toMatchObject({
      ...{ status: 200, body: { code: 1, description: '成功', result: '3147483647' } },
    })
  })

  it('that the proxy does not have is unknown', async () => {
    expect(await submit('show', { jobId: hash })).toMatchObject({ status: 404, body: { code: 4 } })
    expect(await call('/mj/whatever')).toMatchObject({ status: 404, body: { code: 4 } })
  })
})

describe('an answer of the proxy', () => {
  it('with code 21 or 22 is accepted, and shown as code 1', async () => {
    const origin = await finished()
    const body = { taskId: origin, action: 'UPSCALE', index: 1 }
    const first = (await submit('change', body)).body
    succeed(proxy, await upstreamOf(first.result))
    await poll()
    const again = (await submit('change', body)).body
    expect(again).toMatchObject({ code: 1, properties: { status: 'SUCCESS' } })
    expect(JSON.stringify(again)).not.toContain(proxy.url)
    await poll()
    expect(await show(again.result)).toMatchObject({ status: 'SUCCESS', action: 'UPSCALE' })
    const properties = { numberOfQueues: 1, discordInstanceId: '1118138338562560102' }
    const description = '排队中，前面还有1个任务'
    const json = { code: 22, description, result: '0741798445574458', properties }
    proxy.override = () => ({ status: 200, json })
    expect((await submit('imagine')).body).toEqual({
      ...{ code: 1, description, result: expect.stringMatching(/^\d+$/) },
      properties: { numberOfQueues: 1 },
    })
  })

  it.each([
    [200, 3, '无可用的账号实例'],
    [200, 4, 'prompt不能为空'],
    [200, 9, '提交失败'],
    [200, 23, '队列已满，请稍后尝试'],
    [200, 24, '可能包含敏感词'],
    [429, 30, '当前分组负载已饱和'],
  ])(
    'with status %i and code %i is passed on, and nothing is charged',
    async (status, code, description) => {
      const before = await holds()
      proxy.override = () => ({
        status,
        json: { code, description, result: null, properties: { bannedWord: 'b' } },
      })
      expect(await submit('imagine')).toEqual({
        ...{ status, body: { code, description, result: '', properties: { bannedWord: 'b' } } },
      })
      expect(await holds()).toEqual(before)
    },
  )

  it('about the secret is not passed on, and a lost one is not asked for twice', async () => {
    const before = await holds()
    proxy.override = () => ({ status: 401, json: { code: 4, description: proxy.secret } })
    const refused = await submit('imagine')
    expect(refused).toMatchObject({ status: 502, body: { code: 4, type: 'one_hub_error' } })
    expect(JSON.stringify(refused)).not.toContain(proxy.secret)
    proxy.override = () => 'reset'
    expect(await submit('imagine')).toMatchObject({ status: 502, body: { code: 4 } })
    expect(await holds()).toEqual(before)
  })
})

it.each([
  ['imagine', {}, 'prompt'],
  ['change', { taskId: '1', action: 'FLIP', index: 1 }, 'action'],
  ['simple-change', { content: 'U1' }, 'content'],
  ['action', { taskId: '1', customId: 'x' }, 'customId'],
])('submit/%s %j is refused with the name of the wrong field', async (path, body, name) => {
  const refused = await submit(path, body)
  expect(refused).toMatchObject({ status: 400, body: { code: 4 } })
  expect(refused.body.description).toContain(`'${name}'`)
})

it('an action on a task that has not succeeded, or without a price, is refused before the proxy is asked', async () => {
  const { result } = (await submit('imagine')).body
  const before = proxy.tasks.size
  const running = await submit('change', { taskId: result, action: 'UPSCALE', index: 1 })
  expect(running).toMatchObject({ status: 400, body: { code: 4 } })
  const { body } = await call('/turbo/mj/submit/imagine', { prompt: 'Cat' })
  succeed(proxy, await upstreamOf(body.result))
  await poll()
  // Continues in the mode of its origin, whose name for videos has no price.
  const unpriced = await submit('video', { taskId: body.result, motion: 'low' })
  expect(unpriced).toMatchObject({ status: 422, body: { code: 4 } })
  expect(unpriced.body.description).toContain('mj_turbo_video')
  expect(proxy.tasks.size).toBe(before + 1)
})

it('a task of another user does not exist, in any way', async () => {
  const id = await finished()
  const { imageUrl } = await show(id)
  const refusals = await Promise.all([
    call(`/mj/task/${id}/fetch`, undefined, strangerKey),
    call(`/mj/task/${id}/image-seed`, undefined, strangerKey),
    call(`/mj/image/${id}`, undefined, strangerKey),
    submit('change', { taskId: id, action: 'UPSCALE', index: 1 }, strangerKey),
    submit('simple-change', { content: `${id} U1` }, strangerKey),
    submit('action', { taskId: id, customId: `MJ::JOB::upsample::1::${hash}` }, strangerKey),
    submit('modal', { taskId: id }, strangerKey),
    submit('video', { taskId: id }, strangerKey),
  ])
  expect(refusals.map(each => [each.status, each.body.code])).toEqual(refusals.map(() => [404, 4]))
  expect((await call('/mj/task/list-by-condition', { ids: [id] }, strangerKey)).body).toEqual([])
  const forged = await fetch(imageUrl.replace(/signature=\w/, 'signature=_'))
  expect(forged.status).toBe(401)
  expect((await fetch(`${hub.url}/mj/image/${id}`)).status).toBe(401)
})

it('an image at a private address, or that is none, is not fetched', async () => {
  for (const imageUrl of [`http://[::1]:${port}/storage/a.png`, `${proxy.url}/storage/a.html`]) {
    const { result } = (await submit('imagine')).body
    Object.assign(await upstreamOf(result), { status: 'SUCCESS', imageUrl })
    await poll()
    const shown = await show(result)
    expect((await fetch(shown.imageUrl)).status).toBe(410)
  }
})

const set = async (key: string, value: string) =>
  expect((await hub.app.root.put('/api/option/', { key, value })).status).toBe(200)

it('is polled at once when the proxy reports a change, which alone changes nothing', async () => {
  await set('ServerAddress', hub.url)
  await set('MjNotifyEnabled', 'true')
  const { result } = (await submit('imagine', { prompt: 'Cat', notifyHook: `${proxy.url}/caller` }))
    .body
  const task = await upstreamOf(result)
  const report = (url: string) =>
    fetch(url, { method: 'POST', body: JSON.stringify({ id: task.id, status: 'SUCCESS' }) })
  const hook: string = task.body.notifyHook
  expect(hook.startsWith(`${hub.url}/mj/notify?task=${result}&secret=`)).toBe(true)
  expect(JSON.stringify(task.body)).not.toContain('/caller')
  await hub.app.app.db.updateTable('tasks').set({ run_at: 9_999_999_999 }).execute()
  const other = (await submit('imagine')).body.result
  for (const forged of [hook.replace(result, other), hook.replace(/secret=.*/, 'secret=x')])
    expect((await report(forged)).status).toBe(401)
  expect((await rowOf(result)).run_at).toBe(9_999_999_999)
  expect((await report(hook)).status).toBe(200)
  expect((await show(result)).status).toBe('SUBMITTED')
  proxy.polls.length = 0
  await pollTasks(hub.app.app)
  expect(proxy.polls.flat()).toContain(task.id)
  expect((await show(result)).status).toBe('SUBMITTED')
  await set('MjNotifyEnabled', 'false')
  expect((await upstreamOf((await submit('imagine')).body.result)).body.notifyHook).toBeUndefined()
})

it('names the address of the proxy where the operator shows it', async () => {
  const id = await finished()
  await set('MjForwardUrlEnabled', 'false')
  expect((await show(id)).imageUrl).toMatch(`${proxy.url}/storage/`)
  await set('MjForwardUrlEnabled', 'true')
  expect((await show(id)).imageUrl).toMatch(`${hub.url}/mj/image/${id}?`)
})

it('is shown in parts while it is made', async () => {
  const { result } = (await submit('imagine')).body
  const imageUrl = `${proxy.url}/storage/preview.png`
  Object.assign(await upstreamOf(result), { status: 'IN_PROGRESS', progress: '30%', imageUrl })
  await poll()
  const shown = await show(result)
  expect(shown).toMatchObject({ status: 'IN_PROGRESS', progress: '30%' })
  expect((await fetch(shown.imageUrl)).status).toBe(200)
})

describe('without an account for the fast speed', () => {
  beforeEach(() => {
    proxy.hasNoFastAccount = true
  })
  afterEach(async () => {
    proxy.hasNoFastAccount = false
    await setRelaxPrice(defaultPrice)
  })
  const setRelaxPrice = (input: number) =>
    hub.app.root.put('/api/prices/single/mj_relax_imagine', {
      ...{ model: 'mj_relax_imagine', type: 'times', input, output: input, locked: true },
    })

  it('a new task is made in the relaxed speed, once, and charged at its price', async () => {
    await setRelaxPrice(20)
    const open = await holds()
    const before = proxy.tasks.size
    const { result } = (await submit('imagine')).body
    expect(proxy.tasks.size).toBe(before + 1)
    const task = await upstreamOf(result)
    expect(task.body.accountFilter).toEqual({ modes: ['RELAX'] })
    succeed(proxy, task)
    await poll()
    expect([await chargesOf(result), await holds()]).toEqual([[pointsOf(20)], open])
  })

  it('the answer of the proxy is passed on where that speed costs more or has no price', async () => {
    const open = await holds()
    const refusal = { code: 3, description: '无可用的账号实例' }
    await setRelaxPrice(defaultPrice + 1)
    expect((await submit('imagine')).body).toMatchObject(refusal)
    expect((await submit('describe', { base64: 'a' })).body).toMatchObject(refusal)
    const fast = await call('/mj-fast/mj/submit/blend', { base64Array: ['a', 'b'] })
    expect(fast.body).toMatchObject(refusal)
    expect(await holds()).toEqual(open)
  })
})

it('is submitted and charged once with an Idempotency-Key', async () => {
  const before = proxy.tasks.size
  const headers = { 'idempotency-key': 'mj-1' }
  const answers = await Promise.all(
    [1, 2].map(() => hub.post('/mj/submit/imagine', { prompt: 'Cat' }, headers)),
  )
  const ids = await Promise.all(answers.map(async each => ((await each.json()) as Json).result))
  expect(new Set(ids).size).toBe(1)
  expect(proxy.tasks.size).toBe(before + 1)
})
