import Anthropic from '@anthropic-ai/sdk'
import { GoogleGenAI } from '@google/genai'
import OpenAI from 'openai'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Person } from '../harness/admin.ts'
import { chargesOf } from '../harness/ledger.ts'
import { describeOneEngine } from '../harness/runner/describe-engines.ts'
import { until } from '../harness/runner/until.ts'
import { startTestHub, type TestHub } from '../harness/test-hub.ts'

// Clients of four dialects, one vendor of openai-chat only: the test compares what each official client reads, and
// the charges.

const weather = {
  name: 'get_current_weather',
  schema: { type: 'object' as const, properties: { location: { type: 'string' } } },
}
const answerText = 'Hello! How can I assist you today?'
const streamed = 'Hello there, 世界 👋!'

describeOneEngine(engine => {
  let hub: TestHub
  let person: Person
  beforeAll(async () => {
    hub = await startTestHub(engine)
    person = await hub.admin.addPerson(10_000_000)
    // A channel that refused rests, so each client has a full one of its own.
    const scripts = {
      chat: 'play=chat',
      tools: 'tools',
      full1: 'status=429',
      full2: 'status=429',
      full3: 'status=429',
      broken: 'out=9;fin=3',
    }
    for (const [name, script] of Object.entries(scripts)) {
      hub.upstream.behave(name, script)
      const more = { models: `m-${name}`, compatible_response: true }
      await hub.admin.addChannel(`${hub.upstream.url}/${name}`, more)
    }
    await hub.admin.setPrice('m-*', 'tokens', 1, 1)
  })
  afterAll(() => hub?.close())

  const charged = async (work: () => Promise<void>): Promise<number[]> => {
    const before = (await chargesOf(hub.gateway, person.id)).length
    await work()
    await hub.settled()
    return (await chargesOf(hub.gateway, person.id)).slice(before).map(each => each.amount)
  }

  const failure = (work: Promise<unknown>): Promise<{ status: number; message: string }> =>
    work.then(
      () => {
        throw new Error('it was answered')
      },
      error => error,
    )

  describe('anthropic', () => {
    let client: Anthropic
    beforeAll(() => {
      client = new Anthropic({ apiKey: person.key, baseURL: hub.gateway.url, maxRetries: 0 })
    })
    const ask = (model: string) => ({
      model,
      max_tokens: 100,
      system: 'Be brief.',
      messages: [{ role: 'user' as const, content: 'Say hello.' }],
    })

    it('the official client reads a whole answer, and its usage is what is charged', async () => {
      const amounts = await charged(async () => {
        const message = await client.messages.create(ask('m-chat'))
        expect(message.content).toEqual([{ type: 'text', text: answerText }])
        expect(message.stop_reason).toBe('end_turn')
        expect(message.usage).toMatchObject({ input_tokens: 19, output_tokens: 10 })
      })
      expect(amounts).toEqual([29])
    })

    it('the official client reads a stream', async () => {
      const amounts = await charged(async () => {
        const message = await client.messages.stream(ask('m-chat')).finalMessage()
        expect(message.content).toMatchObject([{ type: 'text', text: streamed }])
        expect(message.usage).toMatchObject({ input_tokens: 19, output_tokens: 10 })
      })
      expect(amounts).toEqual([29])
    })

    it('the official client reads tool calls, whole and streamed', async () => {
      const tools = [{ name: weather.name, input_schema: weather.schema }]
      const whole = await client.messages.create({ ...ask('m-tools'), tools })
      const call = { type: 'tool_use', id: 'call_abc123', name: weather.name }
      expect(whole.content).toMatchObject([call])
      expect(whole.stop_reason).toBe('tool_use')
      const final = await client.messages.stream({ ...ask('m-tools'), tools }).finalMessage()
      expect(final.content).toMatchObject([{ ...call, input: { location: 'Boston, MA' } }])
    })

    it('the official client understands refusals, and a stream that breaks is an error', async () => {
      expect(await failure(client.messages.create(ask('m-nobody')))).toMatchObject({ status: 404 })
      expect(await failure(client.messages.create(ask('m-full1')))).toMatchObject({
        status: 529,
        type: 'overloaded_error',
      })
      const stranger = new Anthropic({ apiKey: 'sk-x', baseURL: hub.gateway.url, maxRetries: 0 })
      expect(await failure(stranger.messages.create(ask('m-chat')))).toMatchObject({
        status: 401,
        type: 'authentication_error',
      })
      await failure(client.messages.stream(ask('m-broken')).finalMessage())
    })
  })

  describe('openai-responses', () => {
    let client: OpenAI
    beforeAll(() => {
      const baseURL = `${hub.gateway.url}/v1`
      client = new OpenAI({ apiKey: person.key, baseURL, maxRetries: 0 })
    })
    const ask = (model: string) => ({ model, instructions: 'Be brief.', input: 'Say hello.' })

    it('the official client reads a whole answer, and its usage is what is charged', async () => {
      const amounts = await charged(async () => {
        const response = await client.responses.create(ask('m-chat'))
        expect(response.output_text).toBe(answerText)
        expect(response.status).toBe('completed')
        expect(response.usage).toMatchObject({ input_tokens: 19, output_tokens: 10 })
      })
      expect(amounts).toEqual([29])
    })

    it('the official client reads a stream', async () => {
      const amounts = await charged(async () => {
        const final = await client.responses.stream(ask('m-chat')).finalResponse()
        expect(final.output_text).toBe(streamed)
        expect(final.usage?.total_tokens).toBe(29)
      })
      expect(amounts).toEqual([29])
    })

    it('the official client reads tool calls, whole and streamed', async () => {
      const tools = [
        {
          type: 'function' as const,
          name: weather.name,
          parameters: weather.schema,
          strict: false,
        },
      ]
      const call = { type: 'function_call', call_id: 'call_abc123', name: weather.name }
      const whole = await client.responses.create({ ...ask('m-tools'), tools })
      expect(whole.output).toMatchObject([call])
      const final = await client.responses.stream({ ...ask('m-tools'), tools }).finalResponse()
      expect(final.output).toMatchObject([{ ...call, arguments: '{"location":"Boston, MA"}' }])
    })

    it('what only the vendor of the dialect could answer is refused, and nothing is charged', async () => {
      const amounts = await charged(async () => {
        const more = [{ previous_response_id: 'resp_123' }, { background: true }]
        for (const each of more)
          expect(
            await failure(client.responses.create({ ...ask('m-chat'), ...each })),
          ).toMatchObject({
            status: 400,
            message: expect.stringContaining(Object.keys(each)[0] ?? ''),
          })
      })
      expect(amounts).toEqual([])
    })

    it('the official client understands refusals, and a stream that breaks is an error', async () => {
      expect(await failure(client.responses.create(ask('m-nobody')))).toMatchObject({ status: 404 })
      expect(await failure(client.responses.create(ask('m-full2')))).toMatchObject({ status: 429 })
      await failure(client.responses.stream(ask('m-broken')).finalResponse())
    })
  })

  describe('gemini', () => {
    let client: GoogleGenAI
    beforeAll(() => {
      const httpOptions = { baseUrl: hub.gateway.url }
      client = new GoogleGenAI({ apiKey: person.key, httpOptions })
    })
    const ask = (model: string) => ({
      model,
      contents: 'Say hello.',
      config: { systemInstruction: 'Be brief.', maxOutputTokens: 100 },
    })

    it('the official client reads a whole answer, and its usage is what is charged', async () => {
      const amounts = await charged(async () => {
        const answer = await client.models.generateContent(ask('m-chat'))
        expect(answer.text).toBe(answerText)
        expect(answer.usageMetadata).toMatchObject({
          promptTokenCount: 19,
          candidatesTokenCount: 10,
          totalTokenCount: 29,
        })
      })
      expect(amounts).toEqual([29])
    })

    it('the official client reads a stream', async () => {
      const amounts = await charged(async () => {
        let text = ''
        let total: number | undefined
        for await (const piece of await client.models.generateContentStream(ask('m-chat'))) {
          text += piece.text ?? ''
          total = piece.usageMetadata?.totalTokenCount ?? total
        }
        expect([text, total]).toEqual([streamed, 29])
      })
      expect(amounts).toEqual([29])
    })

    it('a stream without alt=sse is one JSON array', async () => {
      const address = `${hub.gateway.url}/v1beta/models/m-chat:streamGenerateContent`
      const response = await fetch(address, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'x-goog-api-key': person.key },
        body: JSON.stringify({ contents: [{ parts: [{ text: 'Say hello.' }] }] }),
      })
      expect(response.headers.get('content-type')).toMatch(/^application\/json/)
      type Piece = { candidates?: { content?: { parts?: { text?: string }[] } }[] }
      const pieces = (await response.json()) as Piece[]
      const texts = pieces.flatMap(each => each.candidates?.[0]?.content?.parts ?? [])
      expect(texts.map(each => each.text ?? '').join('')).toBe(streamed)
    })

    it('the official client reads tool calls', async () => {
      const functionDeclarations = [{ name: weather.name, parametersJsonSchema: weather.schema }]
      const toolCall = ask('m-tools')
      const config = { ...toolCall.config, tools: [{ functionDeclarations }] }
      const answer = await client.models.generateContent({ ...toolCall, config })
      expect(answer.functionCalls).toMatchObject([{ name: weather.name }])
    })

    it('the official client understands refusals, and so does an action that is not served', async () => {
      expect(await failure(client.models.generateContent(ask('m-nobody')))).toMatchObject({
        status: 404,
      })
      expect(await failure(client.models.generateContent(ask('m-full3')))).toMatchObject({
        status: 429,
      })
      const answer = await fetch(`${hub.gateway.url}/v1beta/models/m-chat:batchSomething`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'x-goog-api-key': person.key },
        body: '{}',
      })
      expect(answer.status).toBeGreaterThanOrEqual(400)
      expect(await answer.json()).toMatchObject({ error: { code: answer.status } })
    })
  })

  describe('vendors of other dialects', () => {
    let openai: OpenAI
    let anthropic: Anthropic
    beforeAll(async () => {
      const baseURL = `${hub.gateway.url}/v1`
      openai = new OpenAI({ apiKey: person.key, baseURL, maxRetries: 0 })
      anthropic = new Anthropic({ apiKey: person.key, baseURL: hub.gateway.url, maxRetries: 0 })
      const vendor = (type: number, name: string) =>
        hub.admin.addChannel(`${hub.upstream.url}/${name}`, { type, models: `m-${name}` })
      await vendor(14, 'claude')
      await vendor(25, 'gem')
    })
    const text = 't0 xt1 xt2 xt3 xt4 x'
    const messages = [{ role: 'user' as const, content: 'Say hello.' }]

    it.each(['m-claude', 'm-gem'])(
      'an openai-chat client reads %s, whole and streamed',
      async model => {
        const amounts = await charged(async () => {
          const whole = await openai.chat.completions.create({ model, messages })
          expect(whole.choices[0]).toMatchObject({
            message: { content: text },
            finish_reason: 'stop',
          })
          expect(whole.usage).toMatchObject({ prompt_tokens: 10, completion_tokens: 5 })
          const options = { stream_options: { include_usage: true } }
          const stream = openai.chat.completions.stream({ model, messages, ...options })
          const final = await stream.finalChatCompletion()
          expect(final.choices[0]?.message.content).toBe(text)
          expect(final.usage).toMatchObject({ prompt_tokens: 10, completion_tokens: 5 })
        })
        expect(amounts).toEqual([15, 15])
      },
    )

    it('an anthropic client of an anthropic vendor gets its bytes, and the vendor the headers', async () => {
      const ask = { model: 'm-claude', max_tokens: 9, messages }
      const headers = { 'anthropic-beta': 'some-beta-2026-01-01' }
      const whole = await anthropic.messages.create(ask, { headers })
      expect(whole.content).toEqual([{ type: 'text', text }])
      const seen = hub.upstream.served.at(-1)
      expect(seen?.headers).toMatchObject({
        ...headers,
        // A field of the client overrides the provider's default for it.
        'anthropic-version': expect.stringMatching(/^202[4-9]-|^2023-06-01/),
      })
      expect(seen?.headers.authorization).toBeUndefined()
      expect(seen?.headers['x-api-key']).toMatch(/^sk-vendor-/)
      expect(JSON.parse(String(seen?.body))).toEqual(ask)
      const final = await anthropic.messages.stream(ask).finalMessage()
      expect(final.usage).toMatchObject({ input_tokens: 10, output_tokens: 5 })
    })

    it('a gemini client of a gemini vendor reads both forms of a stream', async () => {
      const headers = { 'content-type': 'application/json', 'x-goog-api-key': person.key }
      const body = JSON.stringify({ contents: [{ parts: [{ text: 'Say hello.' }] }] })
      const read = async (query: string) => {
        const path = `/v1beta/models/m-gem:streamGenerateContent${query}`
        const response = await fetch(`${hub.gateway.url}${path}`, {
          method: 'POST',
          headers,
          body,
        })
        return response.text()
      }
      type Piece = { candidates: { content: { parts: { text: string }[] } }[] }
      const textOf = (pieces: Piece[]) =>
        pieces.flatMap(each => each.candidates[0]?.content.parts ?? []).map(each => each.text)
      const lines = (await read('?alt=sse')).split(/\r?\n/).filter(line => line !== '')
      expect(textOf(lines.map(line => JSON.parse(line.slice(6)))).join('')).toBe(text)
      expect(textOf(JSON.parse(await read(''))).join('')).toBe(text)
    })

    it('a gemini client of a gemini vendor gets whole responses unchanged, and the vendor gets the unchanged request', async () => {
      const ask = { contents: [{ parts: [{ text: 'Say hello.' }] }], new_field: { in_it: [null] } }
      const response = await fetch(`${hub.gateway.url}/v1beta/models/m-gem:generateContent`, {
        method: 'POST',
        headers: {
          ...{ 'content-type': 'application/json', 'x-goog-api-key': person.key },
          'x-goog-request-params': 'yes',
        },
        body: JSON.stringify(ask),
      })
      expect(response.status).toBe(200)
      await response.arrayBuffer()
      const seen = hub.upstream.served.at(-1)
      expect(JSON.parse(String(seen?.body))).toEqual(ask)
      expect(seen?.headers['x-goog-request-params']).toBe('yes')
    })
  })

  it('the log row lists the fields that the upstream cannot express', async () => {
    const client = new Anthropic({ apiKey: person.key, baseURL: hub.gateway.url, maxRetries: 0 })
    await client.messages.create({
      model: 'm-chat',
      max_tokens: 100,
      thinking: { type: 'enabled', budget_tokens: 1024 },
      messages: [{ role: 'user', content: 'Say hello.' }],
      ...{ top_k: 5 },
    })
    const newest = await until('the log row is there', async () => {
      const logs = await hub.admin.api<{ data: { metadata: unknown }[] }>(
        'GET',
        '/api/log/?page=1&size=1&order=-id',
      )
      return logs.data[0]
    })
    expect(JSON.stringify(newest)).toContain('openai-chat: top_k')
  })
})
