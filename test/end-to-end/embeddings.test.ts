import { GoogleGenAI } from '@google/genai'
import OpenAI from 'openai'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Person } from '../harness/admin.ts'
import { chargesOf } from '../harness/ledger.ts'
import { describeOneEngine } from '../harness/runner/describe-engines.ts'
import { startTestHub, type TestHub } from '../harness/test-hub.ts'

// Embeddings through the public API: clients of two dialects, vendors of both, and the charges.

const first = [1, -0.5, -1]
const second = [2, -0.5, -1]

describeOneEngine(engine => {
  let hub: TestHub
  let person: Person
  let openai: OpenAI
  let google: GoogleGenAI
  beforeAll(async () => {
    hub = await startTestHub(engine)
    person = await hub.admin.addPerson(10_000_000)
    openai = new OpenAI({
      apiKey: person.key,
      baseURL: `${hub.gateway.url}/v1`,
      maxRetries: 0,
    })
    const httpOptions = { baseUrl: hub.gateway.url }
    google = new GoogleGenAI({ apiKey: person.key, httpOptions })
    const scripts = {
      open: 'in=7',
      numbers: 'in=7;form=numbers',
      packed: 'in=7;form=base64',
      silent: 'usage=missing',
      lying: 'usage=string',
      full: 'status=429',
      wide: 'in=7;dims=40000',
    }
    const channel = (name: string, more: object = {}) =>
      hub.admin.addChannel(`${hub.upstream.url}/${name}`, { models: `embed-${name}`, ...more })
    for (const [name, script] of Object.entries(scripts)) {
      hub.upstream.behave(name, script)
      await channel(name)
    }
    for (const [name, script] of Object.entries({ gem: 'in=9', 'gem-silent': 'usage=missing' })) {
      hub.upstream.behave(name, script)
      await channel(name, { type: 25 })
    }
    // Two vendors serve one model: the first has priority.
    await channel('gem', { type: 25, models: 'embed-both', priority: 2 })
    await channel('open', {
      models: 'embed-both,embed-named',
      model_mapping: JSON.stringify({ 'embed-named': '+their-name' }),
    })
    await channel('full', { models: 'embed-next', priority: 2 })
    await channel('open', { models: 'embed-next' })
    // A vendor without embeddings.
    await channel('claude', { type: 14, models: 'embed-claude' })
    await hub.admin.setPrice('embed-*', 'tokens', 3, 5)
  })
  afterAll(() => hub?.close())
  beforeEach(() => hub.upstream.forget())

  const charged = async <T>(work: () => Promise<T>): Promise<{ result: T; amounts: number[] }> => {
    const before = (await chargesOf(hub.gateway, person.id)).length
    const result = await work()
    await hub.settled()
    const charges = (await chargesOf(hub.gateway, person.id)).slice(before)
    return { result, amounts: charges.map(each => each.amount) }
  }
  const failure = (work: Promise<unknown>): Promise<{ status: number; message: string }> =>
    work.then(
      () => {
        throw new Error('it was answered')
      },
      error => error,
    )
  const upstreamBody = () =>
    hub.upstream.served.map(({ path, body }) => ({ path, body: JSON.parse(String(body)) }))
  const newestLog = async () => {
    const path = '/api/log/?page=1&size=1&order=-id'
    const logs = await hub.admin.api<{ data: { id: number }[] }>('GET', path)
    return logs.data[0]!
  }
  const vectors = (result: { data: { embedding: number[] }[] }) =>
    result.data.map(each => each.embedding)

  describe('the official client of openai', () => {
    it.each(['open', 'numbers', 'packed'])(
      'reads vectors in either form, whichever of them the vendor speaks: %s',
      async name => {
        for (const encoding_format of [undefined, 'float', 'base64'] as const) {
          const { result, amounts } = await charged(() =>
            openai.embeddings.create({
              model: `embed-${name}`,
              input: ['a', 'b'],
              user: 'u',
              ...(encoding_format && { encoding_format }),
            }),
          )
          const got = result.data.map(({ embedding }) =>
            encoding_format === 'base64' ? numbersIn(String(embedding)) : embedding,
          )
          expect(got).toEqual([first, second])
          expect(result.usage).toEqual({ prompt_tokens: 7, total_tokens: 7 })
          expect(amounts).toEqual([21])
        }
      },
    )

    it('its bytes reach a vendor of its dialect as they came, but for the model', async () => {
      const body = '{"model":"embed-named", "input":[[1,2],[3]],"dimensions": 2,"new_field":[1e2]}'
      const response = await fetch(`${hub.gateway.url}/embeddings`, {
        method: 'POST',
        headers: { authorization: `Bearer ${person.key}`, 'content-type': 'application/json' },
        body,
      })
      expect(vectors((await response.json()) as never)).toEqual([
        [1, -0.5],
        [2, -0.5],
      ])
      const [served] = hub.upstream.served
      expect(served?.path).toBe('/open/v1/embeddings')
      expect(String(served?.body)).toBe(body.replace('embed-named', 'their-name'))
    })

    it('is answered by gemini: one text, and many', async () => {
      const one = await charged(() =>
        openai.embeddings.create({ model: 'embed-gem', input: 'a', dimensions: 2, user: 'u' }),
      )
      expect(vectors(one.result)).toEqual([[1, -0.5]])
      expect(one.result).toMatchObject({ model: 'embed-gem', usage: { prompt_tokens: 9 } })
      const many = await charged(() =>
        openai.embeddings.create({ model: 'embed-gem', input: ['a', 'b'] }),
      )
      expect(vectors(many.result)).toEqual([first, second])
      expect([one.amounts, many.amounts]).toEqual([[27], [27]])
      const content = (text: string) => ({ parts: [{ text }] })
      const model = 'models/embed-gem'
      expect(upstreamBody()).toEqual([
        {
          path: '/gem/v1beta/models/embed-gem:embedContent',
          body: { model, content: content('a'), outputDimensionality: 2 },
        },
        {
          path: '/gem/v1beta/models/embed-gem:batchEmbedContents',
          body: { requests: ['a', 'b'].map(text => ({ model, content: content(text) })) },
        },
      ])
    })

    it('tokens are refused where only texts are read, and go to a vendor that reads them', async () => {
      const tokens = { input: [1, 2, 3] }
      const refused = await charged(() =>
        failure(openai.embeddings.create({ model: 'embed-gem', ...tokens })),
      )
      expect(refused.result).toMatchObject({
        status: 400,
        message: expect.stringMatching(/texts only/),
      })
      expect([refused.amounts, hub.upstream.served.length]).toEqual([[], 0])
      const served = await charged(() =>
        openai.embeddings.create({ model: 'embed-both', ...tokens }),
      )
      expect([vectors(served.result), served.amounts]).toEqual([[first], [21]])
    })

    it('answers of many megabytes come whole', async () => {
      const input = Array.from({ length: 40 }, (_, at) => `text ${at}`)
      const { result, amounts } = await charged(() =>
        openai.embeddings.create({ model: 'embed-wide', input, encoding_format: 'float' }),
      )
      expect(vectors(result).map(each => [each.length, each[0]])).toEqual(
        input.map((_, at) => [40_000, at + 1]),
      )
      expect(amounts).toEqual([21])
    })

    it('another channel is asked where one refuses, and one that has no embeddings is none', async () => {
      const { result, amounts } = await charged(() =>
        openai.embeddings.create({ model: 'embed-next', input: 'a' }),
      )
      expect([vectors(result), amounts]).toEqual([[first], [21]])
      expect(upstreamBody().map(each => each.path)).toEqual([
        '/full/v1/embeddings',
        '/open/v1/embeddings',
      ])
      const none = await charged(() =>
        failure(openai.embeddings.create({ model: 'embed-claude', input: 'a' })),
      )
      expect(none.result.status).toBeGreaterThanOrEqual(400)
      expect(none.amounts).toEqual([])
    })

    it('what cannot be read is refused before anything is held', async () => {
      for (const body of [
        {},
        { input: 'a' },
        { model: 'embed-open' },
        { model: 'embed-open', input: 5 },
      ]) {
        const result = await failure(openai.embeddings.create(body as never))
        expect(result.status).toBe(400)
      }
      expect(hub.upstream.served).toEqual([])
      const stranger = new OpenAI({ apiKey: 'sk-x', baseURL: openai.baseURL, maxRetries: 0 })
      const unknown = await failure(stranger.embeddings.create({ model: 'embed-open', input: 'a' }))
      expect(unknown.status).toBe(401)
    })
  })

  describe('the official client of gemini', () => {
    const config = { taskType: 'RETRIEVAL_DOCUMENT', title: 't', outputDimensionality: 3 }

    it('sends the unchanged request to its vendor', async () => {
      const { result, amounts } = await charged(() =>
        google.models.embedContent({ model: 'embed-gem', contents: ['a', 'b'], config }),
      )
      expect(result.embeddings?.map(each => each.values)).toEqual([first, second])
      expect(amounts).toEqual([27])
      expect(upstreamBody()[0]).toMatchObject({
        path: '/gem/v1beta/models/embed-gem:batchEmbedContents',
        body: { requests: [config, config] },
      })
    })

    it('is served by a vendor of openai only, and unsupported fields are logged', async () => {
      const { result, amounts } = await charged(() =>
        google.models.embedContent({ model: 'embed-packed', contents: ['a', 'b'], config }),
      )
      expect(result.embeddings?.map(each => each.values)).toEqual([first, second])
      expect(amounts).toEqual([21])
      expect(upstreamBody()).toEqual([
        {
          path: '/packed/v1/embeddings',
          body: { model: 'embed-packed', input: ['a', 'b'], dimensions: 3 },
        },
      ])
      const row = JSON.stringify(await newestLog())
      for (const field of ['taskType', 'title']) expect(row).toContain(`openai-chat: ${field}`)
    })

    it.each(['/v1beta', '/v1', '/gemini/v1beta', '/gemini/v1'])('one vector at %s', async base => {
      const ask = async (model: string) => {
        const response = await fetch(`${hub.gateway.url}${base}/models/${model}:embedContent`, {
          method: 'POST',
          headers: { 'x-goog-api-key': person.key, 'content-type': 'application/json' },
          body: JSON.stringify({ content: { parts: [{ text: 'a' }] } }),
        })
        return response.json()
      }
      expect(await ask('embed-gem')).toMatchObject({ embedding: { values: first } })
      expect(await ask('embed-open')).toEqual({
        embedding: { values: first },
        usageMetadata: { promptTokenCount: 7, totalTokenCount: 7 },
      })
    })

    it('a batch at the address of one is refused', async () => {
      const result = await fetch(`${hub.gateway.url}/v1beta/models/embed-gem:embedContent`, {
        method: 'POST',
        headers: { 'x-goog-api-key': person.key, 'content-type': 'application/json' },
        body: JSON.stringify({ requests: [] }),
      })
      expect([result.status, await result.json()]).toMatchObject([
        400,
        { error: { status: 'INVALID_ARGUMENT' } },
      ])
    })
  })

  describe('the money', () => {
    // Held are three bytes a token, rounded up for each text: 4 + 1. A tokenizer counts one less.
    const input = ['twelve bytes', 'ab']

    it.each(['silent', 'lying', 'gem-silent'])(
      'what a vendor does not tell is counted, and said to be: %s',
      async name => {
        const { result, amounts } = await charged(() =>
          openai.embeddings.create({ model: `embed-${name}`, input, encoding_format: 'float' }),
        )
        expect([vectors(result), amounts]).toEqual([[first, second], [12]])
        const row = await newestLog()
        expect(row).toMatchObject({ prompt_tokens: 4, completion_tokens: 0 })
        const receipt = await hub.admin.api('GET', `/api/log/${row.id}/receipt`)
        expect(receipt).toMatchObject({ estimated: true, charged: 12 })
      },
    )

    it('the hold is the size of the input: a balance of that size is served, and one point less is not', async () => {
      // Nothing is added to it here.
      await hub.admin.setOption('PreConsumedQuota', '0')
      const enough = await hub.admin.addPerson(15)
      const short = await hub.admin.addPerson(14)
      const ask = (key: string) =>
        new OpenAI({ apiKey: key, baseURL: openai.baseURL, maxRetries: 0 }).embeddings.create({
          model: 'embed-silent',
          input,
          encoding_format: 'float',
        })
      expect(vectors(await ask(enough.key))).toEqual([first, second])
      expect(await failure(ask(short.key))).toMatchObject({ status: 429 })
      await hub.settled()
      expect((await hub.admin.user(enough.id)).quota).toBe(3)
    })

    it('one Idempotency-Key is one charge', async () => {
      const headers = { 'Idempotency-Key': 'the same' }
      const ask = () => openai.embeddings.create({ model: 'embed-open', input: 'a' }, { headers })
      const { result, amounts } = await charged(async () => [await ask(), await ask()])
      expect([result.map(vectors), amounts]).toEqual([[[first], [first]], [21]])
      expect(hub.upstream.served.length).toBe(1)
    })
  })

  it('lists say what such a model is for, and a channel is tried with it', async () => {
    const models = await (
      await fetch(`${hub.gateway.url}/v1/models/embed-open`, {
        headers: { authorization: `Bearer ${person.key}` },
      })
    ).json()
    expect(models).toMatchObject({ supported_endpoint_types: ['embeddings'] })
    const channels = await hub.admin.api<{ data: { id: number; models: string }[] }>(
      'GET',
      '/api/channel/?size=100',
    )
    for (const name of ['embed-open', 'embed-gem']) {
      const channel = channels.data.find(each => each.models === name)
      await hub.admin.api('POST', `/api/channel/test/${channel?.id}`)
    }
    expect(upstreamBody().map(each => each.path)).toEqual([
      '/open/v1/embeddings',
      '/gem/v1beta/models/embed-gem:embedContent',
    ])
  })

  it('the auditor finds nothing', () => hub.audit())
})

const numbersIn = (text: string): number[] => {
  const bytes = Buffer.from(text, 'base64')
  return Array.from({ length: bytes.length / 4 }, (_, at) => bytes.readFloatLE(at * 4))
}
