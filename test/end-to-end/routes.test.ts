import { setTimeout as sleep } from 'node:timers/promises'
import Anthropic from '@anthropic-ai/sdk'
import { GoogleGenAI } from '@google/genai'
import OpenAI from 'openai'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Person } from '../harness/admin.ts'
import { accountOf, chargesOf, countHolds } from '../harness/ledger.ts'
import { describeOneEngine } from '../harness/runner/describe-engines.ts'
import { until } from '../harness/runner/until.ts'
import { startTestHub, type TestHub } from '../harness/test-hub.ts'

// Requests of official clients next to a chat: model lists, token counts, health checks.

const names = ['claude-bare', 'claude-one', 'claude-two', 'gem-one', 'gpt-4o-mini', 'open-one']
const all = ['openai', 'openai-response', 'anthropic', 'gemini']

describeOneEngine(engine => {
  let hub: TestHub
  let person: Person
  beforeAll(async () => {
    hub = await startTestHub(engine)
    person = await hub.admin.addPerson(10_000_000)
    const channel = (name: string, more: object) =>
      hub.admin.addChannel(`${hub.upstream.url}/${name}`, more)
    await channel('claude', {
      type: 14,
      models: 'claude-one,claude-two',
      model_mapping: JSON.stringify({ 'claude-two': 'claude-second' }),
      // For answers: a count that carried it would be refused by the vendor.
      custom_parameter: JSON.stringify({ overwrite: true, max_tokens: 5 }),
    })
    await channel('gem', { type: 25, models: 'gem-one' })
    await channel('open', { models: 'open-one' })
    // The upstream of this model has another dialect than its vendor.
    await channel('bare', { models: 'claude-bare', compatible_response: true })
    for (const name of ['claude', 'gem', 'open']) hub.upstream.behave(name, 'in=42')
    // A mapped model costs what its target costs.
    for (const name of [...names, 'claude-second']) await hub.admin.setPrice(name, 'tokens', 1, 1)
  })
  afterAll(() => hub?.close())
  beforeEach(() => hub.upstream.forget())

  const anthropicOf = (key: string) =>
    new Anthropic({ apiKey: key, baseURL: hub.gateway.url, maxRetries: 0 })
  const geminiOf = (key: string) =>
    new GoogleGenAI({ apiKey: key, httpOptions: { baseUrl: hub.gateway.url } })
  const openaiOf = (key: string) =>
    new OpenAI({ apiKey: key, baseURL: `${hub.gateway.url}/v1`, maxRetries: 0 })
  const get = async (path: string, headers: Record<string, string> = {}) => {
    const response = await fetch(`${hub.gateway.url}${path}`, { headers })
    // biome-ignore lint/suspicious/noExplicitAny: each dialect has its own shape
    return { status: response.status, body: (await response.json()) as any }
  }
  const failure = (work: Promise<unknown>): Promise<{ status: number; message: string }> =>
    work.then(
      () => {
        throw new Error('it was answered')
      },
      error => error,
    )
  const idsOf = async (pages: PromiseLike<AsyncIterable<{ id: string }>>) => {
    const ids: string[] = []
    for await (const { id } of await pages) ids.push(id)
    return ids
  }
  const limited = () => {
    const setting = { limits: { limit_model_setting: { enabled: true, models: ['claude-one'] } } }
    return hub.admin.addPerson(1_000, { setting })
  }

  describe('which models there are', () => {
    it('the anthropic client walks through all pages, in both directions', async () => {
      const client = anthropicOf(person.key)
      expect(await idsOf(client.models.list({ limit: 4 }))).toEqual(names)
      const first = await client.models.list({ limit: 4 })
      expect(first).toMatchObject({ has_more: true, first_id: names[0], last_id: names[3] })
      expect(first.data[0]).toEqual({
        type: 'model',
        id: 'claude-bare',
        display_name: 'claude-bare',
        created_at: expect.stringMatching(/^2023-03-01T\d\d:\d\d:\d\d/),
      })
      const before = await client.models.list({ limit: 2, before_id: names[3] as string })
      expect(before.data.map(each => each.id)).toEqual(names.slice(1, 3))
      expect(before.has_more).toBe(true)
      expect((await client.models.retrieve('gpt-4o-mini')).id).toBe('gpt-4o-mini')
      expect(await idsOf(anthropicOf((await limited()).key).models.list())).toEqual(['claude-one'])
    })

    it('with a bearer too, on its aliases too, and it understands refusals', async () => {
      const options = { baseURL: hub.gateway.url, maxRetries: 0 }
      const bearer = new Anthropic({ apiKey: null, authToken: person.key, ...options })
      expect(await idsOf(bearer.models.list({ limit: 1000 }))).toEqual(names)
      for (const path of ['/claude/v1/models', '/anthropic/v1/models']) {
        const { body } = await get(path, { 'x-api-key': person.key })
        expect([path, body.data?.length, body.has_more]).toEqual([path, names.length, false])
        const one = await get(`${path}/gem-one`, { 'x-api-key': person.key })
        expect(one.body).toMatchObject({ type: 'model', id: 'gem-one' })
      }
      const { models } = anthropicOf(person.key)
      expect(await failure(models.retrieve('nobody'))).toMatchObject({
        status: 404,
        type: 'not_found_error',
      })
      for (const limit of [0, 1001])
        expect(await failure(models.list({ limit }).then(each => each))).toMatchObject({
          status: 400,
          type: 'invalid_request_error',
        })
      expect(
        await failure(
          anthropicOf('sk-x')
            .models.list()
            .then(each => each),
        ),
      ).toMatchObject({
        status: 401,
        type: 'authentication_error',
      })
    })

    it('the gemini client walks through all pages, and reads one', async () => {
      const { models } = geminiOf(person.key)
      const found: string[] = []
      for await (const { name } of await models.list({ config: { pageSize: 4 } }))
        found.push(name ?? '')
      expect(found).toEqual(names.map(each => `models/${each}`))
      expect(await models.get({ model: 'gem-one' })).toMatchObject({
        name: 'models/gem-one',
        displayName: 'gem-one',
        supportedActions: expect.arrayContaining(['generateContent', 'countTokens']),
      })
      expect(await failure(models.get({ model: 'nobody' }))).toMatchObject({ status: 404 })
      expect(await failure(geminiOf('x').models.list())).toMatchObject({ status: 401 })
    })

    it('a request with a Gemini key or to a Gemini address gets a Gemini list', async () => {
      const header = { 'x-goog-api-key': person.key }
      const bearer = { authorization: `Bearer ${person.key}` }
      const lists = [
        await get(`/v1/models?key=${person.key}`),
        await get('/v1/models', header),
        await get('/v1beta/models', bearer),
        await get('/gemini/v1beta/models', header),
        await get('/gemini/v1/models?pageSize=5000', header),
      ]
      for (const { body } of lists)
        expect(body.models.map((each: { name: string }) => each.name)).toHaveLength(names.length)
      const page = await get('/v1beta/models?pageSize=2', header)
      expect(page.body.models).toHaveLength(2)
      const next = await get(
        `/v1beta/models?pageSize=1000&pageToken=${page.body.nextPageToken}`,
        header,
      )
      expect(next.body.models).toHaveLength(names.length - 2)
      expect(next.body.nextPageToken).toBeUndefined()
      const wrong = await get('/v1beta/models?pageSize=-1', header)
      expect(wrong).toMatchObject({ status: 400, body: { error: { status: 'INVALID_ARGUMENT' } } })
      const one = await get(`/v1/models/gem-one?key=${person.key}`)
      expect(one.body.name).toBe('models/gem-one')
    })

    it('any other client gets an OpenAI list, with the dialects in which each model is served', async () => {
      const { models } = openaiOf(person.key)
      const list = await models.list()
      expect(list.data.map(each => each.id).sort()).toEqual(names)
      // Open WebUI sends requests below the configured address, which may have no version.
      const bare = await get('/models', { authorization: `Bearer ${person.key}` })
      expect(bare.body.data).toHaveLength(names.length)
      for (const each of list.data) expect(each).toMatchObject({ supported_endpoint_types: all })
      expect(await models.retrieve('gem-one')).toMatchObject({ id: 'gem-one', object: 'model' })
      // As OpenRouter writes it: what a token costs, in dollars.
      await hub.admin.setPrice('gem-one', 'tokens', 0.075, 0.3)
      expect(await models.retrieve('gem-one')).toMatchObject({
        pricing: {
          prompt: '0.00000015',
          completion: '0.0000006',
          request: '0',
          input_cache_read: '0.00000015',
        },
      })
      expect(await failure(models.retrieve('nobody'))).toMatchObject({ status: 404 })
      expect(await idsOf(openaiOf((await limited()).key).models.list())).toEqual(['claude-one'])
    })
  })

  describe('what is left to spend, by the addresses that clients still ask', () => {
    const paths = ['/v1/dashboard/billing', '/dashboard/billing']
    const billOf = async (path: string, key: string) => {
      const headers = { authorization: `Bearer ${key}` }
      const { body: subscription } = await get(`${path}/subscription`, headers)
      const dates = 'start_date=2026-11-01&end_date=2026-11-30'
      const { body: usage } = await get(`${path}/usage?${dates}`, headers)
      return { subscription, usage }
    }

    it.each(paths)(
      '%s: an API key without a quota of its own shows its user’s, in dollars',
      async path => {
        const rich = await hub.admin.addPerson(1_000_000)
        await openaiOf(rich.key).chat.completions.create({
          model: 'gpt-4o-mini',
          messages: [{ role: 'user', content: 'Say hello.' }],
        })
        await hub.settled()
        const { used } = await accountOf(hub.gateway, rich.id)
        expect(used).toBeGreaterThan(0)
        expect(await billOf(path, rich.key)).toEqual({
          subscription: {
            object: 'billing_subscription',
            has_payment_method: true,
            soft_limit_usd: 2,
            hard_limit_usd: 2,
            system_hard_limit_usd: 2,
            access_until: 0,
          },
          usage: { object: 'list', total_usage: (used / 500_000) * 100 },
        })
      },
    )

    it('an API key with a quota of its own shows that, and when it ends', async () => {
      const expired_time = Math.floor(Date.now() / 1_000) + 86_400
      const own = { unlimited_quota: false, remain_quota: 250_000, expired_time }
      const { key } = await hub.admin.addPerson(1_000_000, own)
      const { subscription, usage } = await billOf('/v1/dashboard/billing', key)
      expect(subscription).toMatchObject({ hard_limit_usd: 0.5, access_until: expired_time })
      expect(usage).toEqual({ object: 'list', total_usage: 0 })
    })

    it('it shows points where the site does, and nothing without a key', async () => {
      await hub.admin.setOption('DisplayInCurrencyEnabled', 'false')
      const { key } = await hub.admin.addPerson(1_234)
      const { subscription } = await billOf('/dashboard/billing', key)
      expect(subscription.hard_limit_usd).toBe(1_234)
      await hub.admin.setOption('DisplayInCurrencyEnabled', 'true')
      const refused = await get('/dashboard/billing/usage', { authorization: 'Bearer sk-x' })
      expect(refused).toMatchObject({ status: 401, body: { error: { code: expect.any(String) } } })
    })

    it('an address with too many requests gets Retry-After', async () => {
      const headers = { 'x-forwarded-for': '198.51.100.7', authorization: `Bearer ${person.key}` }
      const ask = () => get('/dashboard/billing/usage', headers)
      for (let n = 0; n < 300; n += 1) expect((await ask()).status).toBe(200)
      expect(await ask()).toMatchObject({ status: 429, body: { error: { code: 'rate_critical' } } })
    })
  })

  describe('how many tokens a prompt has', () => {
    const messages = [{ role: 'user' as const, content: 'Say hello.' }]
    const contents = [{ role: 'user', parts: [{ text: 'Say hello.' }] }]

    it('a vendor that counts in the caller’s dialect is asked, with its own key and the caller’s words', async () => {
      const beta = { headers: { 'anthropic-beta': 'some-beta-2026-01-01' } }
      const client = anthropicOf(person.key)
      const ask = { model: 'claude-one', messages, system: 'Be brief.' }
      expect(await client.messages.countTokens(ask, beta)).toEqual({ input_tokens: 42 })
      await client.messages.countTokens({ ...ask, model: 'claude-two#high' })
      const [one, two] = hub.upstream.served
      expect(one).toMatchObject({ path: '/claude/v1/messages/count_tokens', credential: '' })
      expect(one?.headers).toMatchObject(beta.headers)
      expect(one?.headers['x-api-key']).toMatch(/^sk-vendor-/)
      expect(JSON.parse(String(one?.body))).toEqual(ask)
      expect(JSON.parse(String(two?.body))).toEqual({ ...ask, model: 'claude-second' })
    })

    it('so does Gemini, and OpenAI', async () => {
      const { models } = geminiOf(person.key)
      const counted = await models.countTokens({ model: 'gem-one', contents })
      expect(counted.totalTokens).toBe(42)
      expect(hub.upstream.served.at(-1)?.path).toBe('/gem/v1beta/models/gem-one:countTokens')
      const ask = { model: 'open-one', input: 'Say hello.' }
      expect(await openaiOf(person.key).responses.inputTokens.count(ask)).toEqual({
        object: 'response.input_tokens',
        input_tokens: 42,
      })
      expect(hub.upstream.served.at(-1)?.path).toBe('/open/v1/responses/input_tokens')
    })

    it('elsewhere the gateway estimates without a request upstream', async () => {
      const { messages: claude } = anthropicOf(person.key)
      const { models } = geminiOf(person.key)
      const { responses } = openaiOf(person.key)
      const long = [{ role: 'user' as const, content: 'Say hello. '.repeat(100) }]
      const short = await claude.countTokens({ model: 'open-one', messages })
      const longer = await claude.countTokens({ model: 'open-one', messages: long })
      expect(short.input_tokens).toBeGreaterThan(2)
      expect(longer.input_tokens).toBeGreaterThan(short.input_tokens + 200)
      const total = (await models.countTokens({ model: 'claude-one', contents })).totalTokens
      expect(total).toBeGreaterThan(2)
      for (const model of ['gem-one', 'claude-bare'])
        expect(
          (await responses.inputTokens.count({ model, input: 'Say hello.' })).input_tokens,
        ).toBeGreaterThan(2)
      expect(hub.upstream.served).toEqual([])
    })

    it('an alias counts too, and what Gemini wants counted may stand inside', async () => {
      const post = async (path: string, body: object) => {
        const headers = { 'content-type': 'application/json', 'x-api-key': person.key }
        const init = { method: 'POST', headers, body: JSON.stringify(body) }
        return (await fetch(`${hub.gateway.url}${path}`, init)).json()
      }
      for (const path of ['/messages', '/claude/v1/messages', '/anthropic/v1/messages'])
        expect(await post(`${path}/count_tokens`, { model: 'claude-one', messages })).toEqual({
          input_tokens: 42,
        })
      const inside = { generateContentRequest: { model: 'models/gem-one', contents } }
      for (const path of ['/v1beta', '/v1', '/gemini/v1beta', '/gemini/v1'])
        expect(await post(`${path}/models/gem-one:countTokens`, inside)).toEqual({
          totalTokens: 42,
        })
      expect(
        await post('/responses/input_tokens', { model: 'open-one', input: 'x' }),
      ).toMatchObject({ input_tokens: 42 })
    })

    it('a vendor that fails to count affects neither the count nor its channel', async () => {
      const client = anthropicOf(person.key)
      const ask = { model: 'claude-one', messages }
      for (const script of [
        'status=500',
        'status=404',
        'status=401',
        'status=429',
        'reset=before',
      ]) {
        hub.upstream.behave('claude', script)
        const { input_tokens } = await client.messages.countTokens(ask)
        expect([script, input_tokens > 2, input_tokens !== 42]).toEqual([script, true, true])
      }
      expect(hub.upstream.served).toHaveLength(5)
      hub.upstream.behave('claude', 'status=400;keywords=The prompt is upside down.')
      expect(await failure(client.messages.countTokens(ask))).toMatchObject({
        status: 400,
        message: expect.stringContaining('The prompt is upside down.'),
      })
      hub.upstream.behave('claude', 'in=42')
      const answer = await client.messages.create({ ...ask, max_tokens: 9 })
      expect(answer.usage.input_tokens).toBe(42)
      await hub.settled()
    })

    it.each(['stall=headers', 'drip=200'])(
      'who leaves before it is counted leaves nobody waiting (%s)',
      async script => {
        // No limit of the gateway may end the exchange before the wait for the caller's leaving fails.
        for (const limit of ['FirstByteTimeoutSeconds', 'IdleTimeoutSeconds'])
          await hub.admin.setOption(limit, '3600')
        hub.upstream.behave('claude', script)
        const leaving = new AbortController()
        const ask = { model: 'claude-one', messages }
        const options = { signal: leaving.signal }
        const counted = failure(anthropicOf(person.key).messages.countTokens(ask, options))
        const call = await until('the vendor is asked', async () => hub.upstream.served[0])
        await sleep(500)
        expect(call.closedAt).toBeUndefined()
        leaving.abort()
        await counted
        await until('the vendor is let go', async () => call.closedAt !== undefined)
        expect(call.complete).toBe(false)
        hub.upstream.behave('claude', 'in=42')
      },
    )

    it('it is free, even for who has nothing left', async () => {
      const poor = await hub.admin.addPerson(0)
      const client = anthropicOf(poor.key)
      const { input_tokens } = await client.messages.countTokens({ model: 'claude-one', messages })
      expect(input_tokens).toBe(42)
      await client.messages.countTokens({ model: 'open-one', messages })
      expect(await countHolds(hub.gateway)).toBe(0)
      expect(await chargesOf(hub.gateway, poor.id)).toEqual([])
      expect(await accountOf(hub.gateway, poor.id)).toMatchObject({ held: 0, used: 0 })
    })

    it('it obeys what a call obeys: the key, its models, its rate', async () => {
      const ask = { model: 'claude-one', messages }
      const count = (key: string, model: string) =>
        anthropicOf(key).messages.countTokens({ ...ask, model })
      expect(await failure(count('sk-x', 'claude-one'))).toMatchObject({ status: 401 })
      expect(await failure(count(person.key, 'nobody'))).toMatchObject({ status: 404 })
      const { key } = await limited()
      expect(await failure(count(key, 'claude-two'))).toMatchObject({
        status: 404,
        message: expect.stringContaining('This API key may not use this model.'),
      })
      const symbol = 'slow'
      await hub.admin.api('POST', '/api/user_group/', { symbol, name: symbol, api_rate: 2 })
      const channel = { type: 14, models: 'claude-one', group: symbol }
      await hub.admin.addChannel(`${hub.upstream.url}/claude`, channel)
      const slow = await hub.admin.addPerson(1_000, {}, { group: symbol })
      for (let n = 0; n < 2; n++) await count(slow.key, 'claude-one')
      expect(await failure(count(slow.key, 'claude-one'))).toMatchObject({
        status: 429,
        type: 'rate_limit_error',
      })
    })
  })

  it('a connectivity check gets an empty response without a key', async () => {
    for (const method of ['HEAD', 'GET']) {
      const response = await fetch(`${hub.gateway.url}/api/hello`, { method })
      expect([method, response.status, await response.text()]).toEqual([method, 200, ''])
    }
  })
})
