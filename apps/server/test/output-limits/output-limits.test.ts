import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { isEnd, openSocket } from '../../../../test/harness/sockets/client.ts'
import { audit } from '../../src/auditor/audit.ts'
import { onBothEngines } from '../harness.ts'
import { type Json, type RelayHub, useRelayHub } from '../relay-hub.ts'
import { limitIn, type MeteredVendor, startMeteredVendor } from './metered-vendor.ts'

// A whole answer, and reasoning that a stream does not show, cost no more than the hold: the vendor is sent the limit that
// balance and cap cover, and no other byte is changed.

let hub: RelayHub
let vendor: MeteredVendor

const openai = 'gpt-4o'
const reasoner = 'gpt-6-sol'
const claude = 'claude-sonnet-4-5'
const google = 'gemini-2.5-pro'
/** Their channels write a larger limit than a small balance covers. */
const openaiRaised = 'gpt-4o-2024-08-06'
const claudeRaised = 'claude-3-5-haiku-20241022'

const words = [{ role: 'user', content: 'x' }]
const parts = [{ role: 'user', parts: [{ text: 'x' }] }]

type Route = {
  path(model: string, stream: boolean): string
  body(model: string, stream: boolean, limit?: number): Json
}

const routes: Record<string, Route> = {
  chat: {
    path: () => '/v1/chat/completions',
    body: (model, stream, limit) => ({ model, messages: words, stream, max_tokens: limit }),
  },
  completions: {
    path: () => '/v1/completions',
    body: (model, stream, limit) => ({ model, prompt: 'x', stream, max_tokens: limit }),
  },
  responses: {
    path: () => '/v1/responses',
    body: (model, stream, limit) => ({ model, input: 'x', stream, max_output_tokens: limit }),
  },
  messages: {
    path: () => '/v1/messages',
    body: (model, stream, limit) => ({ model, messages: words, stream, max_tokens: limit }),
  },
  gemini: {
    path: (model, stream) =>
      `/v1beta/models/${model}:${stream ? 'streamGenerateContent?alt=sse' : 'generateContent'}`,
    body: (_, _stream, limit) => ({
      contents: parts,
      generationConfig: { temperature: 1, maxOutputTokens: limit },
    }),
  },
}

/** Operation, model, the field of the limit at the vendor, and whether the bytes pass. */
const pairs: readonly (readonly [string, string, string, 'same' | 'translated'])[] = [
  ['chat', openai, 'max_tokens', 'same'],
  ['chat', reasoner, 'max_completion_tokens', 'same'],
  ['completions', openai, 'max_tokens', 'same'],
  ['responses', openai, 'max_output_tokens', 'same'],
  ['gemini', google, 'maxOutputTokens', 'same'],
  ['chat', google, 'maxOutputTokens', 'translated'],
  ['responses', google, 'maxOutputTokens', 'translated'],
  ['gemini', openai, 'max_tokens', 'translated'],
  ['chat', claude, 'max_tokens', 'translated'],
  ['responses', claude, 'max_tokens', 'translated'],
  ['gemini', claude, 'max_tokens', 'translated'],
]

const balances = { bound: 300_000, middle: 6_500, less: 3_000 }
/** More than the middle balance covers. */
const named = 8_000

const payer = async (quota: number, token: object = {}) => {
  const user = await hub.app.person(1, { quota })
  const made = await user.post('/api/token/', { name: 't', unlimited_quota: true, ...token })
  const { key }: { key: string } = made.body.data
  const send = async (path: string, body: Json) => {
    const text = JSON.stringify(body)
    const headers = { authorization: `Bearer ${key}`, 'x-goog-api-key': key, 'x-api-key': key }
    const before = vendor.bodies.length
    const response = await fetch(`${hub.url}${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: text,
    })
    const answer = await response.text()
    const [received] = vendor.bodies.slice(before)
    return { status: response.status, answer, sent: text, received }
  }
  const balance = async (): Promise<number> => (await user.get('/api/user/self')).body.data.quota
  return { user, key, send, balance }
}

const lastLog = async (userId: number) => {
  const row = await hub.app.app.db
    .selectFrom('logs')
    .select('metadata')
    .where('user_id', '=', userId)
    .orderBy('id', 'desc')
    .executeTakeFirst()
  return JSON.parse(row?.metadata ?? '{}')
}

const otherShortfalls = async () => {
  const { values } = await hub.app.app.metrics.shortfalls.get()
  return values.find(each => each.labels.kind === 'other')?.value ?? 0
}

const expectSound = async () => expect(await otherShortfalls()).toBe(0)

const withoutLimit = (text: string, field: string) =>
  text.replace(new RegExp(`,"${field}":\\d+`), '')

type Case = { route: Route; model: string; field: string; isSame: boolean }

const testWholeWithout = (each: Case) => {
  const { route, model, field, isSame } = each
  const path = route.path(model, false)
  const body = route.body(model, false)

  it('is served without a change where the bound is covered', async () => {
    const { send, balance, user } = await payer(balances.bound)
    const { status, answer, sent, received } = await send(path, body)
    expect([status, answer.slice(0, 200)]).toEqual([200, expect.any(String)])
    if (isSame) expect(received).toBe(sent)
    expect((await lastLog(user.id)).output_limit).toBeUndefined()
    expect(await balance()).toBeGreaterThanOrEqual(0)
    await expectSound()
  })

  it('is served with the covered limit where the prompt and 4,096 tokens are covered', async () => {
    const { send, balance, user } = await payer(balances.middle)
    const { status, answer, sent, received } = await send(path, body)
    expect([status, status === 200 ? '' : answer]).toEqual([200, ''])
    const limit = limitIn(JSON.parse(received!))!
    expect(limit).toBeGreaterThanOrEqual(4_096)
    expect(limit).toBeLessThanOrEqual(balances.middle)
    expect(received).toContain(`"${field}":${limit}`)
    if (isSame) expect(withoutLimit(received!, field)).toBe(sent)
    expect((await lastLog(user.id)).output_limit).toBe(limit)
    expect(await balance()).toBeGreaterThanOrEqual(0)
    await expectSound()
  })

  it('is refused with the number where less is covered', async () => {
    const { send, balance } = await payer(balances.less)
    const { status, answer, received } = await send(path, body)
    expect(status).toBeGreaterThanOrEqual(400)
    expect(answer).toMatch(/covers \d+ output tokens/)
    expect(received).toBeUndefined()
    expect(await balance()).toBe(balances.less)
  })
}

const testWholeNamed = ({ route, model, isSame }: Case) => {
  it.each(['bound', 'middle', 'less'] as const)(
    'keeps a limit of the caller, with a balance for %s',
    async covers => {
      const { send, balance } = await payer(balances[covers])
      const { status, answer, sent, received } = await send(
        route.path(model, false),
        route.body(model, false, named),
      )
      if (covers === 'bound') {
        expect(status).toBe(200)
        if (isSame) expect(received).toBe(sent)
        expect(limitIn(JSON.parse(received!))).toBe(named)
      } else {
        expect(answer).toMatch(/covers \d+ output tokens/)
        expect(received).toBeUndefined()
      }
      expect(await balance()).toBeGreaterThanOrEqual(0)
      await expectSound()
    },
  )
}

const testStreams = ({ route, model, isSame }: Case) => {
  const isHidden = [reasoner, google].includes(model)
  it.each([
    ['bound', undefined],
    ['middle', undefined],
    ['less', undefined],
    ['bound', named],
    ['middle', named],
    ['less', named],
  ] as const)('a stream with a balance for %s and the limit %s', async (covers, limit) => {
    const { send, balance } = await payer(balances[covers])
    const body = route.body(model, true, limit)
    const { status, answer, sent, received } = await send(route.path(model, true), body)
    if (covers === 'less') {
      expect(status).toBeGreaterThanOrEqual(400)
      expect(answer).toMatch(/covers \d+ output tokens/)
      return
    }
    expect(status).toBe(200)
    const left = limitIn(JSON.parse(received!))
    if (limit !== undefined) expect(left).toBe(limit)
    else if (isHidden && covers === 'middle') expect(left).toBeGreaterThanOrEqual(4_096)
    else if (isSame) expect(left).toBeUndefined()
    const isChat = /stream_options/.test(received!)
    if (isSame && !isChat && !(isHidden && covers === 'middle')) expect(received).toBe(sent)
    expect(await balance()).toBeGreaterThanOrEqual(0)
    await expectSound()
  })
}

const testOthers = () => {
  it('several answers share what is covered', async () => {
    const ways = [
      ['chat', openai, { n: 2 }],
      ['completions', openai, { best_of: 2 }],
      ['gemini', 'gemini-2.0-flash', { generationConfig: { candidateCount: 2 } }],
    ] as const
    for (const [name, model, more] of ways) {
      const { send, balance } = await payer(11_000)
      const route = routes[name]!
      const body = { ...route.body(model, false), ...more }
      const { status, received } = await send(route.path(model, false), body)
      expect([name, status]).toEqual([name, 200])
      expect(limitIn(JSON.parse(received!))).toBeLessThanOrEqual(5_500)
      expect(await balance()).toBeGreaterThanOrEqual(0)
    }
    await expectSound()
  })

  it.each([
    ['chat', openaiRaised],
    ['gemini', openaiRaised],
    ['chat', claudeRaised],
  ] as const)(
    'no parameter of a channel raises the covered limit of %s to %s',
    async (name, model) => {
      const { send } = await payer(balances.middle)
      const route = routes[name]!
      const { status, received } = await send(route.path(model, false), route.body(model, false))
      expect(status).toBe(200)
      expect(limitIn(JSON.parse(received!))).toBeLessThanOrEqual(balances.middle)
      await expectSound()
    },
  )

  it('a cap covers like a balance', async () => {
    const { send } = await payer(1_000_000, { unlimited_quota: false, remain_quota: 6_500 })
    const { status, received } = await send(
      '/v1/chat/completions',
      routes.chat!.body(openai, false),
    )
    expect(status).toBe(200)
    expect(limitIn(JSON.parse(received!))).toBeLessThanOrEqual(6_500)
    await expectSound()
  })

  it('a model that is mapped to another gets the limit under the name that it knows', async () => {
    const { send } = await payer(6_500)
    const { status, received } = await send(
      '/v1/chat/completions',
      routes.chat!.body('alias', false),
    )
    expect(status).toBe(200)
    expect(JSON.parse(received!)).toMatchObject({ max_completion_tokens: expect.any(Number) })
    expect(received).not.toContain('"max_tokens"')
  })

  it('whole answers one after another are served until less than the smallest is covered', async () => {
    const { send, balance } = await payer(20_000)
    vendor.longest = 3_000
    let served = 0
    while ((await send('/v1/chat/completions', routes.chat!.body(openai, false))).status === 200)
      served += 1
    vendor.longest = 16_384
    expect([served, await balance()]).toEqual([6, 20_000 - 6 * 3_001])
  })

  it('fifty at once: at least one is served, and the rest is told why', async () => {
    const { send, balance } = await payer(30_000)
    const calls = Array.from({ length: 50 }, () =>
      send('/v1/chat/completions', routes.chat!.body(openai, false)),
    )
    const answers = await Promise.all(calls)
    const served = answers.filter(each => each.status === 200).length
    expect(served).toBeGreaterThanOrEqual(1)
    for (const { status } of answers) expect([200, 402, 429]).toContain(status)
    expect(await balance()).toBeGreaterThanOrEqual(0)
    await expectSound()
  })
}

const testGiantFrames = () => {
  it.each(['chat', 'responses', 'messages', 'gemini'])(
    'REL-5 one giant frame of a %s stream is not delivered',
    async name => {
      const model = { messages: claude, gemini: 'gemini-2.0-flash' }[name] ?? openai
      const route = routes[name]!
      vendor.frame = 10_000_000
      const { send, balance } = await payer(3_000_000)
      const limited = await send(route.path(model, true), route.body(model, true, 64))
      const rest = await balance()
      const { send: sendPoor, balance: poorBalance } = await payer(6_500)
      const poor = await sendPoor(route.path(model, true), route.body(model, true, 4_000_000))
      vendor.frame = 0
      expect(limited.answer.length).toBeLessThan(10_000)
      expect(3_000_000 - rest).toBeLessThan(2_000)
      expect(poor.answer.length).toBeLessThan(10_000)
      expect(await poorBalance()).toBeGreaterThanOrEqual(0)
      await expectSound()
    },
  )
}

const testStreamsAtOnce = () => {
  it('five streams at once with a limit of 64,000 tokens that hide nothing are all served', async () => {
    const { send } = await payer(5 * 4_200)
    const route = routes.messages!
    const body = { ...route.body(claude, true, 64_000), thinking: { type: 'disabled' } }
    const calls = Array.from({ length: 5 }, () => send('/v1/messages', body))
    for (const { status } of await Promise.all(calls)) expect(status).toBe(200)
    await expectSound()
  })

  it('the frames of a burst that the balance covers are delivered, and charged', async () => {
    vendor.frame = 4_000
    vendor.burst = 40
    const { send, balance } = await payer(10_000)
    const route = routes.chat!
    const { answer } = await send(route.path(openai, true), route.body(openai, true))
    vendor.frame = 0
    vendor.burst = 1
    const delivered = answer.split('word '.repeat(800)).length - 1
    expect(delivered).toBeGreaterThan(5)
    expect(delivered).toBeLessThan(15)
    expect(answer).toContain('insufficient_quota')
    const rest = await balance()
    expect(rest).toBeGreaterThanOrEqual(0)
    expect(rest).toBeLessThan(1_500)
    await expectSound()
  })

  it('a response over a WebSocket that hides its reasoning gets the covered limit', async () => {
    const { key } = await payer(6_500)
    const before = vendor.bodies.length
    const client = await openSocket(`${hub.url}/v1/responses`, { authorization: `Bearer ${key}` })
    client.send({ type: 'response.create', model: reasoner, input: 'x', store: false })
    await client.next(isEnd)
    client.socket.terminate()
    const limit = limitIn(JSON.parse(vendor.bodies[before]!))
    expect(limit).toBeGreaterThanOrEqual(4_096)
    expect(limit).toBeLessThanOrEqual(6_500)
  })

  it('a response in the background is held whole, and gets the covered limit', async () => {
    const { send, balance } = await payer(6_500)
    const body = { ...routes.responses!.body(openai, false), background: true }
    const { status, received } = await send('/v1/responses', body)
    expect(status).toBe(200)
    expect(limitIn(JSON.parse(received!))).toBeLessThanOrEqual(6_500)
    expect(await balance()).toBeGreaterThanOrEqual(0)
  })
}

/** The limit does not depend on the engine; what is held and charged does, and one pair shows it on PostgreSQL. */
const pairsOn = (engine: 'SQLite' | 'PostgreSQL') =>
  engine === 'SQLite' || process.env.HUB_EVERY_ENGINE ? pairs : pairs.slice(0, 1)

onBothEngines('the limit of an answer', (openApp, engine) => {
  const opened = useRelayHub({}, openApp)
  beforeAll(async () => {
    hub = opened
    vendor = await startMeteredVendor()
    const fields = { base_url: vendor.url }
    await hub.addChannel(1, `${openai},${reasoner}`, fields)
    await hub.addChannel(14, claude, fields)
    await hub.addChannel(25, `${google},gemini-2.0-flash`, fields)
    const mapping = JSON.stringify({ alias: `+${reasoner}` })
    await hub.addChannel(1, 'alias', { ...fields, model_mapping: mapping })
    const custom_parameter = JSON.stringify({ overwrite: true, max_tokens: 60_000 })
    await hub.addChannel(1, openaiRaised, { ...fields, custom_parameter })
    await hub.addChannel(14, claudeRaised, { ...fields, custom_parameter })
    await hub.app.root.put('/api/option/', { key: 'PreConsumedQuota', value: '0' })
  })
  afterAll(() => vendor.close())
  for (const [name, model, field, kind] of pairsOn(engine))
    describe(`${name} to ${model}`, () => {
      const each = { route: routes[name]!, model, field, isSame: kind === 'same' }
      testWholeWithout(each)
      testWholeNamed(each)
      testStreams(each)
    })
  describe('messages, whose callers always name a limit', () => {
    const each = { route: routes.messages!, model: claude, field: 'max_tokens', isSame: true }
    testWholeNamed(each)
    testStreams({ ...each })
  })
  testOthers()
  testGiantFrames()
  testStreamsAtOnce()
  it('the auditor accepts the books', async () => {
    const { databaseUrl, dataDir } = hub.app.app.env
    const { results } = await audit({ databaseUrl, dataDir })
    expect(results.flatMap(each => each.findings)).toEqual([])
  })
})
