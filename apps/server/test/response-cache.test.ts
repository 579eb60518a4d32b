import { beforeAll, expect, it } from 'vitest'
import type { Turn } from '../../../test/upstream/turn.ts'
import { audit } from '../src/auditor/audit.ts'
import { onBothEngines, type TestUser } from './harness.ts'
import { answerJson, answerStream, framesOf, type RelayHub, useRelayHub } from './relay-hub.ts'

let hub: RelayHub
let user: TestUser
let key: string
let calls = 0

const usage = { prompt_tokens: 10, completion_tokens: 20, total_tokens: 30 }
const head = { id: 'chatcmpl-1', created: 1, model: 'm' }
const chunk = (delta: object, finish: string | null = null) => ({
  ...{ ...head, object: 'chat.completion.chunk' },
  choices: [{ index: 0, delta, finish_reason: finish }],
})

/** Answers each call with its number, so that a cached answer is recognised. */
const play = (turn: Turn) => {
  calls += 1
  const content = `answer ${calls}`
  if (!JSON.parse(String(turn.served.body)).stream)
    return answerJson(turn, {
      ...{ ...head, object: 'chat.completion', usage },
      choices: [{ index: 0, message: { role: 'assistant', content }, finish_reason: 'stop' }],
    })
  const frames = [chunk({ role: 'assistant', content }), chunk({}, 'stop')]
  answerStream(turn, [...frames, { ...head, object: 'chat.completion.chunk', choices: [], usage }])
}

const setOption = (name: string, value: string) =>
  hub.app.root.put('/api/option/', { key: name, value })
const makeKey = async (owner: TestUser, fields: object = {}): Promise<string> =>
  (await owner.post('/api/token/', { name: 't', chat_cache: true, ...fields })).body.data.key

type Sent = { as?: string; path?: string; headers?: Record<string, string> }
const send = async (
  body: object,
  { as = key, path = '/v1/chat/completions', headers }: Sent = {},
) => {
  const response = await hub.post(path, body, { authorization: `Bearer ${as}`, ...headers })
  const text = await response.text()
  return {
    status: response.status,
    cache: response.headers.get('x-cache'),
    text,
    id: response.headers.get('x-request-id'),
  }
}
const chat = (content: string, more: object = {}) => ({
  ...{ model: 'm', temperature: 0, messages: [{ role: 'user', content }] },
  ...more,
})
const balanceOf = async (who: TestUser): Promise<number> =>
  (await who.get('/api/user/self')).body.data.quota

const hitTests = () => {
  it('an equal request is answered from the cache, costs nothing, and its log row and receipt say so', async () => {
    const first = await send(chat('hi'))
    expect(first).toMatchObject({ status: 200, cache: 'MISS' })
    const balance = await balanceOf(user)
    const reordered = { messages: [{ content: 'hi', role: 'user' }], temperature: 0, model: 'm' }
    const hit = await send(reordered)
    expect(hit).toMatchObject({ status: 200, cache: 'HIT', text: first.text })
    expect(calls).toBe(1)
    expect(await balanceOf(user)).toBe(balance)
    const row = (await user.get(`/api/log/self?id=${hit.id}`)).body.data.data[0]
    expect(row).toMatchObject({ type: 2, quota: 0, model_name: 'm', metadata: { cache: 'hit' } })
    const receipt = (await user.get(`/api/log/${hit.id}/receipt`)).body.data
    expect(receipt).toMatchObject({ cached: true, charged: 0, cost: 0, items: [] })
    const paid = (await user.get(`/api/log/${first.id}/receipt`)).body.data
    expect(paid).toMatchObject({ cached: false, charged: 30 })
  })

  it('a stream is answered with the events of the first one', async () => {
    const body = chat('stream', { stream: true, stream_options: { include_usage: true } })
    const first = await send(body)
    const hit = await send(body)
    expect([first.cache, hit.cache, hit.text]).toEqual(['MISS', 'HIT', first.text])
    expect(framesOf(hit.text).at(-1)).toMatchObject({ usage })
    expect((await send({ ...body, stream: false, stream_options: undefined })).cache).toBe('MISS')
  })

  it('chats of other dialects and embeddings are cached', async () => {
    hub.upstream.play('vector', turn => {
      calls += 1
      const data = [{ object: 'embedding', index: 0, embedding: [calls] }]
      answerJson(turn, {
        object: 'list',
        model: 'vector',
        data,
        usage: { prompt_tokens: 4, total_tokens: 4 },
      })
    })
    await hub.addChannel(1, 'vector')
    const messages = [{ role: 'user', content: 'dialects' }]
    const contents = [{ role: 'user', parts: [{ text: 'dialects' }] }]
    // The upstream speaks chat completions only.
    await hub.addChannel(1, 'plain', { compatible_response: true })
    hub.upstream.play('plain', play)
    const all: [string, object][] = [
      ['/v1/embeddings', { model: 'vector', input: 'a' }],
      ['/v1/messages', { model: 'm', max_tokens: 50, temperature: 0, messages }],
      ['/v1/responses', { model: 'plain', temperature: 0, store: false, input: 'dialects' }],
      ['/v1beta/models/m:generateContent', { contents, generationConfig: { temperature: 0 } }],
    ]
    for (const [path, body] of all) {
      const answers = [await send(body, { path }), await send(body, { path })]
      expect(
        answers.map(each => [each.status, each.cache]),
        path,
      ).toEqual([
        [200, 'MISS'],
        [200, 'HIT'],
      ])
      expect(answers[1]!.text).toBe(answers[0]!.text)
    }
  })

  it('equal requests at a time make one call, and one charge', async () => {
    const before = calls
    const balance = await balanceOf(user)
    const bodies = Array.from({ length: 8 }, () => chat('together', { stream: true }))
    const answers = await Promise.all(bodies.map(each => send(each)))
    expect(calls - before).toBe(1)
    expect(new Set(answers.map(each => each.text)).size).toBe(1)
    expect(answers.filter(each => each.cache === 'HIT')).toHaveLength(7)
    expect(balance - (await balanceOf(user))).toBe(30)
  })
}

const boundTests = () => {
  it('S39 an answer never reaches another token or another user', async () => {
    const other = await hub.app.person(1, { quota: 1_000_000 })
    const keys = [key, await makeKey(user), await makeKey(user), await makeKey(other)]
    const texts = []
    for (const as of keys) texts.push((await send(chat('mine'), { as })).text)
    expect(new Set(texts).size).toBe(keys.length)
    expect(
      (await send(chat('mine'), { as: await makeKey(user, { chat_cache: false }) })).cache,
    ).toBeNull()
  })

  it('requests that differ in anything that counts are not equal', async () => {
    const seed = '9007199254740993'
    const raw = (number: string) =>
      fetch(`${hub.url}/v1/chat/completions`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', authorization: `Bearer ${key}` },
        body: `{"model":"m","temperature":0,"seed":${number},"messages":[{"role":"user","content":"n"}]}`,
      }).then(async each => [each.headers.get('x-cache'), await each.text()][0])
    expect([await raw(seed), await raw('9007199254740992'), await raw(seed)]).toEqual([
      'MISS',
      'MISS',
      'HIT',
    ])
    const others = [{ top_p: 0.5 }, { user: 'a' }, { user: 'b' }, { stream: true }]
    await send(chat('vary'))
    for (const more of others) expect((await send(chat('vary', more))).cache).toBe('MISS')
    expect((await send(chat('vary'), { headers: { 'x-vendor-mode': 'a' } })).cache).toBe('MISS')
    expect((await send(chat('vary'), { headers: { 'user-agent': 'other' } })).cache).toBe('HIT')
  })

  it('what is sampled, uses tools or stored responses, or refuses the cache, is not cached', async () => {
    const tools = [{ type: 'function', function: { name: 'f', parameters: {} } }]
    for (const more of [{ temperature: 1 }, { temperature: undefined }, { tools }])
      expect((await send(chat('none', more))).cache).toBeNull()
    const stored = { model: 'm', temperature: 0, input: 'none' }
    expect((await send(stored, { path: '/v1/responses' })).cache).toBeNull()
    const headers = { 'cache-control': 'no-cache' }
    expect((await send(chat('none'), { headers })).cache).toBeNull()
    await setOption('ChatCacheSampledEnabled', 'true')
    expect((await send(chat('none', { temperature: 1 }))).cache).toBe('MISS')
    await setOption('ChatCacheSampledEnabled', 'false')
  })
}

const outcomeTests = () => {
  it('failures are not cached, and waiting calls then go to the vendor themselves', async () => {
    hub.upstream.play('m', turn => {
      calls += 1
      answerJson(turn, { error: { message: 'away' } }, 500)
    })
    const failed = await Promise.all([send(chat('fails')), send(chat('fails'))])
    expect(failed.map(each => each.status)).toEqual([502, 502])
    hub.upstream.play('m', play)
    expect(await send(chat('fails'))).toMatchObject({ status: 200, cache: 'MISS' })
  })

  it('an answer that is too long to be stored is delivered whole', async () => {
    const content = 'x'.repeat(1_100_000)
    hub.upstream.play('m', turn => {
      const message = { role: 'assistant', content }
      answerJson(turn, {
        ...{ ...head, object: 'chat.completion', usage },
        choices: [{ index: 0, message, finish_reason: 'stop' }],
      })
    })
    const messages = [{ role: 'user', content: 'long' }]
    const body = { model: 'm', max_tokens: 50, temperature: 0, messages }
    const tries: Record<string, string>[] = [{}, { 'idempotency-key': 'long' }]
    for (const headers of tries) {
      // A translated answer is written in one part, which alone exceeds the bound.
      const { status, cache, text } = await send(body, { path: '/v1/messages', headers })
      expect([status, cache]).toEqual([200, 'MISS'])
      expect(JSON.parse(text).content[0].text).toBe(content)
    }
    hub.upstream.play('m', play)
  })

  it('a retry with an Idempotency-Key of a cached answer has its own receipt, and is replayed', async () => {
    await send(chat('once'))
    const headers = { 'idempotency-key': 'k-1' }
    const hits = [await send(chat('once'), { headers }), await send(chat('once'), { headers })]
    expect(hits[0]).toMatchObject({ status: 200, cache: 'HIT' })
    expect(hits[1]).toMatchObject({ status: 200, text: hits[0]!.text })
  })

  it('a token that was disabled meanwhile gets nothing from the cache', async () => {
    const one = await hub.app.person(1, { quota: 1_000_000 })
    const as = await makeKey(one)
    await send(chat('off'), { as })
    const { id } = (await one.get('/api/token/')).body.data.data[0]
    // Past the token cache: the statement of the hold is the guard.
    await hub.app.app.db
      .updateTable('token_spend')
      .set({ status: 2 })
      .where('token_id', '=', id)
      .execute()
    expect((await send(chat('off'), { as })).status).toBe(401)
  })

  it('the ledger is whole, and a model whose channels are gone is not answered from the cache', async () => {
    await hub.addChannel(1, 'gone')
    hub.upstream.play('gone', play)
    await send(chat('x', { model: 'gone' }))
    const { data } = (await hub.app.root.get('/api/channel/?name=gone')).body.data
    await hub.app.root.delete(`/api/channel/${data[0].id}`)
    expect((await send(chat('x', { model: 'gone' }))).status).toBe(404)
    const { databaseUrl, dataDir } = hub.app.app.env
    const { results } = await audit({ databaseUrl, dataDir })
    expect(results.flatMap(each => each.findings)).toEqual([])
  })
}

onBothEngines('response cache', open => {
  const opened = useRelayHub({}, open)
  beforeAll(async () => {
    hub = opened
    calls = 0
    await hub.addChannel(1, 'm')
    hub.upstream.play('m', play)
    await setOption('ChatCacheEnabled', 'true')
    user = await hub.app.person(1, { quota: 100_000_000 })
    key = await makeKey(user)
  })
  hitTests()
  boundTests()
  outcomeTests()
})
