import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { audit } from '../../src/auditor/audit.ts'
import { namedKinds } from '../../src/relay/named-sizes/measure.ts'
import { onBothEngines, type TestUser } from '../harness.ts'
import { type RelayHub, useRelayHub } from '../relay-hub.ts'
import { type CountingVendor, namedTokens, startCountingVendor } from './counting-vendor.ts'

// Things whose size nobody tells: the context of the model bounds them, or one call runs at a time.

const bounded = 'gpt-5.4'
/** A model of which no list names the context. */
const unbounded = 'gpt-9-mini'
/** Tokens of a call at the vendor: what it names, the text of the body, and the output. */
const cost = namedTokens + 20

let hub: RelayHub
let vendor: CountingVendor

/** The operator shares these with every caller. */
const shared = { links: { objects: 'conv_of_payer, pmpt_1, msg_1' } }

const message = (part: object) => [{ role: 'user', content: [part] }]
const chat = [{ role: 'user', content: 'x' }]
const output = { max_output_tokens: 10 }

/** Ways to name something without a size, by the kind of the table that they belong to. */
const ways: Record<string, { kind: string; path: string; body: object; escaped?: string }> = {
  conversation: {
    kind: 'conversation',
    path: '/v1/responses',
    body: { input: 'x', conversation: 'conv_of_payer', ...output },
  },
  'a prompt template': {
    kind: 'prompt template',
    path: '/v1/responses',
    body: { input: 'x', prompt: { id: 'pmpt_1' }, ...output },
  },
  'an item_reference': {
    kind: 'item of a response',
    path: '/v1/responses',
    body: { input: [{ type: 'item_reference', id: 'msg_1' }], ...output },
  },
  'a linked file': {
    kind: 'linked file',
    path: '/v1/responses',
    body: {
      input: message({ type: 'input_file', file_url: 'https://example.com/a.pdf' }),
      ...output,
    },
  },
  'a linked file whose name has an escape': {
    kind: 'linked file',
    path: '/v1/responses',
    body: {
      input: message({ type: 'input_file', file_url: 'https://example.com/a.pdf' }),
      ...output,
    },
    escaped: 'file_url',
  },
  'a linked document': {
    kind: 'linked file',
    path: '/v1/messages',
    body: {
      messages: message({
        type: 'document',
        source: { type: 'url', url: 'https://example.com/a.pdf' },
      }),
      max_tokens: 10,
    },
  },
  'a web search': {
    kind: 'result of a search or another tool of the vendor',
    path: '/v1/responses',
    body: { input: 'x', tools: [{ type: 'web_search' }], ...output },
  },
  'a web search of a chat': {
    kind: 'result of a search or another tool of the vendor',
    path: '/v1/chat/completions',
    body: { messages: chat, web_search_options: {}, max_tokens: 10 },
  },
}

const payer = async (quota: number) => {
  const user = await hub.app.person(1, { quota })
  const made = await user.post('/api/token/', { name: 't', unlimited_quota: true })
  const { key, id: tokenId }: { key: string; id: number } = made.body.data
  const send = async (way: string, model: string) => {
    const { path, body, escaped } = ways[way]!
    const headers = { authorization: `Bearer ${key}` }
    const text = JSON.stringify({ model, ...body })
    const response = await fetch(`${hub.url}${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: escaped ? text.replace(escaped, escaped.replace('_', '\\u005f')) : text,
    })
    const retryAfter = response.headers.get('retry-after')
    return { status: response.status, retryAfter, text: await response.text() }
  }
  const balance = async (): Promise<number> => (await user.get('/api/user/self')).body.data.quota
  return { user, key, tokenId, send, balance }
}

/** A chat of each dialect. */
const dialects: Record<string, { path: string; body: object }> = {
  'chat completions': {
    path: '/v1/chat/completions',
    body: { model: bounded, messages: chat, max_tokens: 10 },
  },
  responses: { path: '/v1/responses', body: { model: bounded, input: 'x', ...output } },
  messages: {
    path: '/v1/messages',
    body: { model: bounded, messages: chat, max_tokens: 10 },
  },
  'Gemini API': {
    path: `/v1beta/models/${bounded}:generateContent`,
    body: {
      contents: [{ role: 'user', parts: [{ text: 'x' }] }],
      generationConfig: { maxOutputTokens: 10 },
    },
  },
}

const testDialect = async ({ path, body }: { path: string; body: object }) => {
  const { user, key, tokenId } = await payer(1_000)
  const { ledger } = hub.app.app
  const id = ledger.nextId()
  const owner = { userId: user.id, tokenId, priceId: 1, at: 1 }
  expect(await ledger.submit({ kind: 'hold', id, ...owner, amount: 990 })).toEqual({ ok: true })
  const send = async () => {
    const headers = { authorization: `Bearer ${key}`, 'x-goog-api-key': key }
    const response = await hub.post(path, body, headers)
    const retryAfter = response.headers.get('retry-after')
    return { status: response.status, retryAfter, text: await response.text() }
  }
  const refused = await send()
  expectHeld(refused)
  expect(refused.text).toContain('990')
  await ledger.submit({ kind: 'void', id })
  expect((await send()).status).toBe(200)
}

type Answer = { status: number; retryAfter: string | null; text: string }
const isServed = ({ status }: Answer) => status === 200
const expectHeld = ({ status, retryAfter, text }: Answer) => {
  expect([status, retryAfter]).toEqual([429, '1'])
  expect(text).toContain('held by running calls')
}
const kindsOfShortfalls = async (who: TestUser) =>
  (
    await hub.app.app.db
      .selectFrom('shortfalls')
      .select('kind')
      .where('user_id', '=', who.id)
      .execute()
  ).map(each => each.kind)

const setUp = async () => {
  vendor = await startCountingVendor()
  const fields = { base_url: vendor.url, plugin: shared }
  const sizes = JSON.stringify({ [bounded]: String(namedTokens + 1_000) })
  await hub.addChannel(1, bounded, { ...fields, context_sizes: sizes })
  await hub.addChannel(1, unbounded, fields)
  for (const key of ['PreConsumedQuota', 'HeldWaitSeconds'])
    await hub.app.root.put('/api/option/', { key, value: '0' })
}

/** A tool may read its results any number of times, so that it is served with the rest of a balance too. */
const mayExceed = (way: string) => namedKinds[ways[way]!.kind]!.isRepeated === true

const testContext = async (way: string) => {
  const { user, send, balance } = await payer(Math.floor(cost * 3.5))
  const all = await Promise.all(Array.from({ length: 12 }, () => send(way, bounded)))
  const served = all.filter(isServed).length
  expect(served).toBeGreaterThanOrEqual(1)
  expect(served).toBeLessThanOrEqual(mayExceed(way) ? 4 : 3)
  for (const each of all.filter(one => !isServed(one))) expect(each.status).toBe(429)
  while (isServed(await send(way, bounded)));
  if (mayExceed(way)) expect(await balance()).toBe(0)
  else expect(await balance()).toBe(Math.floor(cost * 3.5) - 3 * cost)
  expect(await kindsOfShortfalls(user)).toEqual(mayExceed(way) ? ['unbounded'] : [])
}

const testAlone = async (way: string) => {
  const { user, send, balance } = await payer(Math.floor(cost * 1.5))
  const all = await Promise.all(Array.from({ length: 12 }, () => send(way, unbounded)))
  expect(all.some(isServed)).toBe(true)
  for (const each of all.filter(one => !isServed(one) && one.retryAfter !== null)) expectHeld(each)
  while (isServed(await send(way, unbounded)));
  expect(await balance()).toBe(0)
  expect(await kindsOfShortfalls(user)).toEqual(['unbounded'])
}

onBothEngines('what a request names without a size', open => {
  const opened = useRelayHub({}, open)
  beforeAll(async () => {
    hub = opened
    await setUp()
  })
  afterAll(() => vendor?.close())

  for (const way of Object.keys(ways)) {
    it(`the context of the model bounds ${way}`, () => testContext(way))
    it(`a model of unknown context serves one call at a time with ${way}`, () => testAlone(way))
  }

  for (const [name, call] of Object.entries(dialects))
    it(`a call that only running calls keep out is told so, to be repeated: ${name}`, () =>
      testDialect(call))

  it('the auditor accepts the books, and tells the points of shortfalls', async () => {
    const { databaseUrl, dataDir } = hub.app.app.env
    const { results, shortfalls } = await audit({ databaseUrl, dataDir })
    expect(results.flatMap(each => each.findings)).toEqual([])
    expect(shortfalls.map(each => each.kind)).toEqual(['unbounded'])
  })
})

describe('the table of what a request can name', () => {
  it('each kind has a source of its size', () => {
    for (const { sources } of Object.values(namedKinds)) expect(sources).not.toEqual([])
  })
})
