import { beforeAll, beforeEach, expect, it } from 'vitest'
import type { Turn } from '../../../test/upstream/turn.ts'
import { audit } from '../src/auditor/audit.ts'
import { errorLog } from '../src/relay/error-log/error-log.ts'
import { onBothEngines, type TestUser } from './harness.ts'
import { answerJson, type Json, type RelayHub, receivedBody, useRelayHub } from './relay-hub.ts'

let hub: RelayHub
let user: TestUser
/** The models that the vendor was asked for, in order. */
let called: string[]
/** Models that fail at the vendor. */
const broken = new Set<string>()

const usage = { prompt_tokens: 1_000, completion_tokens: 1_000, total_tokens: 2_000 }
const tools = [{ type: 'function', function: { name: 'f', parameters: { type: 'object' } } }]
const image = { type: 'image_url', image_url: { url: 'https://example.com/a.png' } }

const play = (turn: Turn) => {
  const { model } = receivedBody(turn)
  called.push(model)
  if (broken.has(model)) return answerJson(turn, { error: { message: 'down' } }, 500)
  answerJson(turn, {
    ...{ id: 'chatcmpl-1', object: 'chat.completion', created: 1, model, usage },
    choices: [{ index: 0, message: { role: 'assistant', content: model }, finish_reason: 'stop' }],
  })
}

const addModel = async (model: string, fields: object = {}, input = 1) => {
  await hub.addChannel(1, model, fields)
  hub.upstream.play(model, play)
  const price = { model, type: 'tokens', input, output: input, locked: true }
  if (input !== 1) await hub.app.root.put(`/api/prices/single/${model}`, price)
}
const setOption = (key: string, value: string) => hub.app.root.put('/api/option/', { key, value })

type Saved = { id: number; version: number }
const save = async (name: string, candidates: object[], more: object = {}): Promise<Saved> => {
  const made = await hub.app.root.post('/api/virtual_model/', { name, candidates, ...more })
  if (made.status !== 200) throw new TypeError(made.text)
  return made.body.data
}
const makeKey = async (fields: object = {}, owner = user): Promise<string> =>
  (await owner.post('/api/token/', { name: 't', ...fields })).body.data.key

type Options = { as?: string; path?: string }
const chat = async (model: string, more: object = {}, { as, path }: Options = {}) => {
  const body = { model, messages: [{ role: 'user', content: 'hi' }], ...more }
  const headers = { authorization: `Bearer ${as ?? (await makeKey())}` }
  const response = await hub.post(path ?? '/v1/chat/completions', body, headers)
  return { status: response.status, text: await response.text() }
}
const balanceOf = async (who = user): Promise<number> =>
  (await who.get('/api/user/self')).body.data.quota
const charged = async (model: string, options?: Options) => {
  const before = await balanceOf()
  const { status } = await chat(model, {}, options)
  return { status, charge: before - (await balanceOf()) }
}
/** The newest log row, and its route as an administrator reads it. */
const lastCall = async (): Promise<{ row: Json; route: Json }> => {
  await errorLog(hub.app.app).flush()
  const row = (await hub.app.root.get('/api/log/?order=-id&size=1')).body.data.data[0]
  return { row, route: (await hub.app.root.get(`/api/log/${row.id}/route`)).body.data }
}

const setUp = async () => {
  const { root, person } = hub.app
  await root.post('/api/user_group/', { symbol: 'extra', name: 'E', ratio: 3, public: true })
  await setOption('RetryTimes', '0')
  await setOption('RetryTimeOut', '600')
  await setOption('PreConsumedQuota', '0')
  await addModel('cheap')
  await addModel('dear', {}, 10)
  await addModel('only-extra', { group: 'extra' })
  await addModel('shared', { group: 'default,extra' })
  user = await person(1, { quota: 500_000_000 })
}

const moneyTests = () => {
  it('a call is charged at the model and group that served it after others failed', async () => {
    await save('smart', [
      { model: 'cheap' },
      { model: 'dear', tier: 2 },
      { model: 'only-extra', group: 'extra', tier: 3 },
    ])
    expect(await charged('smart')).toEqual({ status: 200, charge: 2_000 })
    broken.add('cheap')
    expect(await charged('smart')).toEqual({ status: 200, charge: 20_000 })
    broken.add('dear')
    called = []
    expect(await charged('smart')).toEqual({ status: 200, charge: 6_000 })
    expect(called).toEqual(['cheap', 'dear', 'only-extra'])
    const { row, route } = await lastCall()
    expect(row).toMatchObject({ model_name: 'only-extra', quota: 6_000 })
    expect(row.metadata).toMatchObject({ requested_model: 'smart', group_name: 'extra' })
    expect(route.attempts.map((each: Json) => each.model)).toEqual(['cheap', 'dear'])
    expect(route.virtual).toMatchObject({ name: 'smart', version: 1 })
    expect(route.virtual.candidates).toMatchObject([
      { model: 'cheap', tried: true },
      { model: 'dear', tried: true },
      { model: 'only-extra', group: 'extra', tried: true },
    ])
    const { databaseUrl, dataDir } = hub.app.app.env
    const { results } = await audit({ databaseUrl, dataDir })
    expect(results.filter(each => each.findings.length > 0)).toEqual([])
  })

  it('the hold covers the most expensive candidate, at the edge of the balance', async () => {
    await save('edge', [{ model: 'cheap' }, { model: 'dear', tier: 2 }])
    const limits = { max_tokens: 1_000 }
    const amount = await held('dear', 'dear', limits)
    expect(amount).toBeGreaterThan(10_000)
    expect(await held('edge', 'cheap', limits)).toBe(amount)
    for (const [quota, status] of [
      [amount - 1, 429],
      [amount, 200],
    ] as const) {
      const poor = await hub.app.person(1, { quota })
      const as = await makeKey({}, poor)
      expect((await chat('edge', limits, { as })).status).toBe(status)
    }
    const poor = await hub.app.person(1, { quota: amount })
    const as = await makeKey({}, poor)
    broken.add('cheap')
    expect((await chat('edge', limits, { as })).status).toBe(200)
    expect(await balanceOf(poor)).toBe(Math.max(0, amount - 20_000))
  })

  it('the hold covers the prompt and the backup group of a later candidate', async () => {
    await addModel('light', { pre_cost: 3 })
    const as = await makeKey({ backup_group: 'extra' })
    // The estimate of a prompt counts the name too, so that compared names have one length.
    await save('lights', [{ model: 'light' }, { model: 'shared', tier: 2 }])
    const amount = await held('shared', 'shared', {}, as)
    expect(amount).toBeGreaterThan(0)
    expect(await held('lights', 'light', {}, as)).toBe(amount)
    await save('pale', [{ model: 'light' }, { model: 'dear', tier: 2 }])
    expect(await held('pale', 'light')).toBe(await held('dear', 'dear'))
  })

  it('the hold covers the search results that a later candidate may read', async () => {
    await addModel('slim', { context_sizes: '{"slim":"5000"}' })
    await addModel('wide', { context_sizes: '{"wide":"90000"}' })
    await save('webs', [{ model: 'slim' }, { model: 'wide', tier: 2 }])
    const search = { web_search_options: {} }
    expect(await held('webs', 'slim', search)).toBe(await held('wide', 'wide', search))
  })
}

/** Points that are held for a call of a model, seen while another one serves it. */
const held = async (model: string, served: string, more: object = {}, as?: string) => {
  let amount = 0
  hub.upstream.play(served, async turn => {
    const [hold] = await hub.app.app.db.selectFrom('holds').select('amount').execute()
    amount = Number(hold?.amount)
    play(turn)
  })
  expect((await chat(model, more, as === undefined ? {} : { as })).status).toBe(200)
  hub.upstream.play(served, play)
  return amount
}

const candidateTests = () => {
  it('one model in two groups is charged at the prices of the group that served', async () => {
    await addModel('both', { group: 'default', key: 'bad-key' })
    await hub.addChannel(1, 'both', { group: 'extra' })
    hub.upstream.play('both', turn =>
      turn.served.headers.authorization === 'Bearer bad-key'
        ? answerJson(turn, { error: { message: 'down' } }, 500)
        : play(turn),
    )
    await save('two-groups', [
      { model: 'both', group: 'default' },
      { model: 'both', group: 'extra', tier: 2 },
    ])
    expect(await charged('two-groups')).toEqual({ status: 200, charge: 6_000 })
    // Without a group of its own a candidate is served by the backup group of the key, too.
    await save('key-backup', [{ model: 'both' }, { model: 'cheap', tier: 2 }])
    const as = await makeKey({ backup_group: 'extra' })
    expect(await charged('key-backup', { as })).toEqual({ status: 200, charge: 6_000 })
  })

  it('a candidate without a price, or without a channel, is passed over with its reason', async () => {
    await hub.app.root.post('/api/channel/', {
      ...{ type: 1, name: 'u', models: 'unpriced', key: 'k', group: 'default' },
      base_url: `${hub.upstream.url}/a`,
    })
    await save('partly', [{ model: 'unpriced' }, { model: 'nowhere' }, { model: 'cheap', tier: 2 }])
    expect(await charged('partly')).toEqual({ status: 200, charge: 2_000 })
    expect((await lastCall()).route.virtual.candidates).toMatchObject([
      { model: 'cheap', tried: true },
      { model: 'unpriced', reason: 'no_price', tried: false },
      { model: 'nowhere', reason: 'no_channel', tried: false },
    ])
  })
}

const guardTests = () => {
  it('a backup group that the model does not name opens it to nobody', async () => {
    const { root } = hub.app
    await root.post('/api/user_group/', { symbol: 'other', name: 'O', ratio: 1, public: true })
    // The candidate names its own group, so that only the model's groups keep the key out.
    const candidate = { model: 'only-extra', group: 'extra' }
    await save('not-for-backup', [candidate], { groups: ['extra'] })
    const as = await makeKey({ backup_group: 'other' })
    expect((await chat('not-for-backup', {}, { as })).status).toBe(404)
    expect(called).toEqual([])
  })

  it('the group of a candidate is that candidate’s alone', async () => {
    await save('back-home', [
      { model: 'only-extra', group: 'extra' },
      { model: 'cheap', tier: 2 },
    ])
    broken.add('only-extra')
    expect(await charged('back-home')).toEqual({ status: 200, charge: 2_000 })
    expect(called).toEqual(['only-extra', 'cheap'])
  })

  it('a candidate of a named group has no backup group, neither its token’s nor that of another candidate', async () => {
    const as = await makeKey({ backup_group: 'extra' })
    await save('named-group', [{ model: 'only-extra', group: 'default' }])
    expect((await chat('named-group', {}, { as })).status).toBe(404)
    await save('after-backup', [{ model: 'shared' }, { model: 'cheap', group: 'default', tier: 2 }])
    for (const each of ['shared', 'cheap']) broken.add(each)
    expect((await chat('after-backup', {}, { as })).status).toBe(502)
    expect(called).toEqual(['shared', 'cheap'])
  })

  it('the fault of a call without a candidate is the one that says most', async () => {
    await save('says-most', [{ model: 'cheap', tools: 'with' }, { model: 'nowhere' }])
    const none = await chat('says-most')
    expect([none.status, none.text]).toEqual([404, expect.stringContaining('says-most')])
    await save('says-more', [{ model: 'nowhere' }, { model: 'cheap', tier: 2 }])
    const continued = { input: 'hi', previous_response_id: 'resp_unknown' }
    const refused = await chat('says-more', continued, { path: '/v1/responses' })
    expect(refused.text).toContain('resp_unknown')
  })
}

const routingTests = () => {
  it('one channel is asked once for a model, although two candidates name it in two groups', async () => {
    await save('twice', [
      { model: 'shared', group: 'default' },
      { model: 'shared', group: 'extra', tier: 2 },
    ])
    expect(await charged('twice')).toEqual({ status: 200, charge: 2_000 })
    broken.add('shared')
    called = []
    expect((await chat('twice')).status).toBe(502)
    expect(called).toEqual(['shared'])
    const { row, route } = await lastCall()
    expect(row.model_name).toBe('twice')
    expect(route).toMatchObject({ stop: 'no_candidate', served: null })
  })

  it('a refusal that every candidate would repeat ends the call', async () => {
    await addModel('picky')
    hub.upstream.play('picky', turn => answerJson(turn, { error: { message: 'bad' } }, 400))
    await save('refusing', [{ model: 'picky' }, { model: 'cheap', tier: 2 }])
    called = []
    expect((await chat('refusing')).status).toBe(400)
    expect(called).toEqual([])
  })

  it('tools and images choose the candidate, and a request that none takes is refused', async () => {
    await addModel('tooled')
    await addModel('seeing')
    await save('able', [
      { model: 'tooled', tools: 'with', images: 'without' },
      { model: 'seeing', images: 'with', tools: 'without' },
    ])
    called = []
    expect((await chat('able', { tools })).status).toBe(200)
    const messages = [{ role: 'user', content: [image] }]
    expect((await chat('able', { messages })).status).toBe(200)
    expect(called).toEqual(['tooled', 'seeing'])
    const refused = await chat('able')
    expect(refused.status).toBe(400)
    expect(refused.text).not.toMatch(/tooled|seeing/)
    expect((await lastCall()).route).toMatchObject({
      ...{ stop: 'no_candidate', served: null },
      virtual: { candidates: [{ reason: 'tools' }, { reason: 'images' }] },
    })
  })

  it('the time of day is that of the site’s time zone, from its first minute to its last', async () => {
    await addModel('day')
    await addModel('night')
    await setOption('TimeZone', 'Asia/Shanghai')
    await save('timed', [
      { model: 'day', from: '08:00', until: '20:00' },
      { model: 'night', from: '20:00', until: '08:00' },
    ])
    const before = hub.app.clock.now
    const as = await makeKey()
    called = []
    const date = (days: number) => new Date(before + days * 86_400_000).toISOString().slice(0, 10)
    for (const time of [
      `${date(1)}T23:59:59Z`,
      `${date(2)}T00:00:00Z`,
      `${date(2)}T11:59:59Z`,
      `${date(2)}T12:00:00Z`,
    ]) {
      hub.app.clock.now = Date.parse(time)
      expect((await chat('timed', {}, { as })).status).toBe(200)
    }
    hub.app.clock.now = before
    expect(called).toEqual(['night', 'day', 'day', 'night'])
  })
}

const callerTests = () => {
  it('the key and the group need the virtual name, and no permission for the candidates', async () => {
    await save('allowed', [{ model: 'cheap' }])
    await save('staff-only', [{ model: 'cheap' }], { groups: ['extra'] })
    const limited = (models: string[]) =>
      makeKey({ setting: { limits: { limit_model_setting: { enabled: true, models } } } })
    expect((await chat('allowed', {}, { as: await limited(['allowed']) })).status).toBe(200)
    expect((await chat('cheap', {}, { as: await limited(['allowed']) })).status).toBe(404)
    expect((await chat('allowed', {}, { as: await limited(['cheap']) })).status).toBe(404)
    expect((await chat('staff-only')).status).toBe(404)
    const backed = await makeKey({ backup_group: 'extra' })
    expect((await chat('staff-only', {}, { as: backed })).status).toBe(404)
    await save('staff-shared', [{ model: 'shared' }], { groups: ['extra'] })
    expect(await charged('staff-shared', { as: backed })).toEqual({ status: 200, charge: 6_000 })
  })

  it('every dialect lists it with the range of its prices, and without its candidates', async () => {
    await save('listed', [{ model: 'cheap' }, { model: 'dear', tier: 2 }])
    await save('unserved', [{ model: 'nowhere' }])
    await save('for-extra', [{ model: 'only-extra', group: 'extra' }], { groups: ['extra'] })
    const get = async (path: string, headers: object) => {
      const response = await fetch(`${hub.url}${path}`, { headers: { ...headers } })
      return { status: response.status, body: (await response.json()) as Json }
    }
    const as = await makeKey()
    const bearer = { authorization: `Bearer ${as}` }
    const openai = (await get('/v1/models', bearer)).body.data
    const listed = openai.find((each: Json) => each.id === 'listed')
    expect([listed.pricing.prompt, listed.pricing_min.prompt]).toEqual(['0.00002', '0.000002'])
    expect(JSON.stringify(listed)).not.toMatch(/cheap|dear/)
    const ids = openai.map((each: Json) => each.id)
    for (const each of ['unserved', 'for-extra']) expect(ids).not.toContain(each)
    expect((await get('/v1/models/listed', bearer)).status).toBe(200)
    expect((await get('/v1/models/unserved', bearer)).status).toBe(404)
    const claude = { 'x-api-key': as, 'anthropic-version': '2023-06-01' }
    const anthropic = (await get('/v1/models?limit=1000', claude)).body.data
    expect(anthropic.map((each: Json) => each.id)).toContain('listed')
    const gemini = (await get('/v1beta/models?pageSize=1000', { 'x-goog-api-key': as })).body.models
    expect(gemini.map((each: Json) => each.name)).toContain('models/listed')
    const available = (await user.get('/api/available_model')).body.data
    expect(available.listed).toMatchObject({
      groups: ['default'],
      price: { model: 'listed', input: 10 },
      price_min: { model: 'listed', input: 1 },
    })
  })

  it('every dialect can call it, and the vendor reads the name of the candidate', async () => {
    await save('spoken', [{ model: 'cheap' }])
    const as = await makeKey()
    const messages = [{ role: 'user', content: 'hi' }]
    const claude = { model: 'spoken', max_tokens: 10, messages }
    expect((await chat('spoken', claude, { as, path: '/v1/messages' })).status).toBe(200)
    expect((await chat('spoken#x', {}, { as })).status).toBe(200)
    const contents = [{ role: 'user', parts: [{ text: 'hi' }] }]
    const headers = { 'x-goog-api-key': as, authorization: `Bearer ${as}` }
    const path = '/v1beta/models/spoken:generateContent'
    expect((await hub.post(path, { contents }, headers)).status).toBe(200)
    expect(called.slice(-3)).toEqual(['cheap', 'cheap', 'cheap'])
    const counted = { model: 'spoken', messages }
    const path2 = '/v1/messages/count_tokens'
    expect((await chat('spoken', counted, { as, path: path2 })).status).toBe(200)
  })
}

const cacheTests = () => {
  it('operations that cannot use it say so', async () => {
    await save('no-video', [{ model: 'cheap' }])
    const headers = { authorization: `Bearer ${await makeKey()}` }
    const answer = await hub.post('/v1/videos', { model: 'no-video', prompt: 'a cat' }, headers)
    expect(answer.status).toBe(501)
    expect(await answer.text()).toContain('virtual model')
  })

  it('a conversation stays at the candidate that has it in a prompt cache', async () => {
    await addModel('warm-1')
    await addModel('warm-2')
    await save('sticky', [{ model: 'warm-1' }, { model: 'warm-2' }])
    const as = await makeKey()
    const messages = [{ role: 'user', content: 'conversation '.repeat(1_000) }]
    called = []
    for (let n = 0; n < 12; n++) await chat('sticky', { messages }, { as })
    expect(new Set(called).size).toBe(1)
    broken.add(called[0]!)
    expect((await chat('sticky', { messages }, { as })).status).toBe(200)
  })

  it('the response cache keeps apart the versions of a virtual model', async () => {
    await setOption('ChatCacheEnabled', 'true')
    await setOption('ChatCacheSampledEnabled', 'true')
    const { id } = await save('cached', [{ model: 'cheap' }])
    const as = await makeKey({ chat_cache: true })
    called = []
    for (let n = 0; n < 2; n++) await chat('cached', {}, { as })
    expect(called).toEqual(['cheap'])
    await hub.app.root.put('/api/virtual_model/', { id, candidates: [{ model: 'dear' }] })
    expect((await chat('cached', {}, { as })).text).toContain('dear')
    expect(called).toEqual(['cheap', 'dear'])
    await setOption('ChatCacheEnabled', 'false')
  })
}

const adminTests = () => {
  const send = async (method: 'post' | 'put', path: string, body: object) =>
    (await hub.app.root[method](`/api/virtual_model/${path}`, body)).body

  it('each save is a version, with its author, and a version can be restored', async () => {
    const { id } = await save('versioned', [{ model: 'cheap' }])
    const changed = await send('put', '', { id, candidates: [{ model: 'dear', weight: 5 }] })
    expect(changed.data).toMatchObject({ version: 2, enable: true })
    expect((await send('put', '', { id, enable: false })).data.version).toBe(3)
    expect((await chat('versioned')).status).toBe(404)
    expect((await send('post', `${id}/restore`, { version: 1 })).data).toMatchObject({
      ...{ version: 4, enable: true, candidates: [{ model: 'cheap' }] },
    })
    expect(await charged('versioned')).toEqual({ status: 200, charge: 2_000 })
    const versions = (await hub.app.root.get(`/api/virtual_model/${id}/versions`)).body.data
    expect(versions.map((each: Json) => [each.version, each.restored_version])).toEqual([
      [4, 1],
      [3, null],
      [2, null],
      [1, null],
    ])
    expect(versions[2]).toMatchObject({ actor_name: 'root', candidates: [{ model: 'dear' }] })
    expect((await send('post', `${id}/restore`, { version: 9 })).code).toBe('resource.missing')
    expect((await hub.app.root.delete(`/api/virtual_model/${id}`)).status).toBe(200)
    expect((await chat('versioned')).status).toBe(404)
    const { data } = (await hub.app.root.get('/api/audit/?action=virtual-models.update')).body.data
    expect(JSON.stringify(data)).toContain('dear')
  })

  it('names that exist, nested virtual models and unknown groups are refused', async () => {
    const candidates = [{ model: 'cheap' }]
    await save('outer', candidates)
    const create = async (fields: object) => (await send('post', '', fields)).code
    expect(await create({ name: 'cheap', candidates })).toBe('model.name_taken')
    expect(await create({ name: 'outer', candidates })).toBe('resource.exists')
    expect(await create({ name: 'self', candidates: [{ model: 'self' }] })).toBe('model.nested')
    expect(await create({ name: 'nest', candidates: [{ model: 'outer' }] })).toBe('model.nested')
    expect(await create({ name: 'g', candidates, groups: ['none'] })).toBe('group.unknown')
    expect(await create({ name: 'g', candidates: [{ model: 'm', group: 'none' }] })).toBe(
      'group.unknown',
    )
    expect(await create({ name: 'a b', candidates })).toBe('request.invalid')
    expect(await create({ name: 'none', candidates: [] })).toBe('request.invalid')
  })

  it('a preview says which candidate would serve a request, and why the others would not', async () => {
    await setOption('TimeZone', 'Asia/Shanghai')
    const candidates = [
      { model: 'cheap', max_tokens: 1_000, weight: 3 },
      { model: 'dear', weight: 1 },
      { model: 'shared', tier: 2, from: '08:00', until: '20:00' },
      { model: 'nowhere', tier: 3 },
    ]
    const at = Date.parse('2027-03-01T12:00:00Z') / 1_000
    const response = await send('post', 'preview', { candidates, tokens: 1_000, at })
    expect(response.data).toMatchObject({
      time_of_day: '20:00',
      candidates: [
        { model: 'cheap', share: 0.75, channels: 1, reason: null },
        { model: 'dear', share: 0.25, reason: null },
        { model: 'shared', share: 0, reason: 'time' },
        { model: 'nowhere', channels: 0, reason: 'no_channel' },
      ],
    })
    const long = await send('post', 'preview', { candidates, tokens: 1_001, at: at - 1 })
    expect(long.data.candidates.map((each: Json) => [each.model, each.reason])).toEqual([
      ['dear', null],
      ['shared', null],
      ['cheap', 'tokens'],
      ['nowhere', 'no_channel'],
    ])
  })
}

onBothEngines('virtual models', open => {
  const opened = useRelayHub({}, open)
  beforeAll(async () => {
    hub = opened
    await setUp()
  })
  beforeEach(() => {
    called = []
    broken.clear()
  })
  moneyTests()
  candidateTests()
  guardTests()
  routingTests()
  callerTests()
  cacheTests()
  adminTests()
})
