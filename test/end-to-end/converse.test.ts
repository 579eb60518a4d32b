import { Readable } from 'node:stream'
import type { ReadableStream } from 'node:stream/web'
import Anthropic from '@anthropic-ai/sdk'
import {
  BedrockRuntimeClient,
  ConverseCommand,
  ConverseStreamCommand,
} from '@aws-sdk/client-bedrock-runtime'
import { GoogleGenAI } from '@google/genai'
import OpenAI from 'openai'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Person } from '../harness/admin.ts'
import { estimatedTokens } from '../harness/client.ts'
import { accountOf, chargesOf, countHolds } from '../harness/ledger.ts'
import { describeOneEngine } from '../harness/runner/describe-engines.ts'
import { startTestHub, type TestHub } from '../harness/test-hub.ts'
import { awsKeys } from '../upstream/dialects/aws.ts'
import { startUpstream } from '../upstream/start.ts'

// Clients of four dialects, one vendor of Converse only: the test compares what each official client reads, and the
// charges.

const { id, secret, session, region } = awsKeys
const longKey = `${region}|${id}|${secret}`
const sessionKey = `${longKey}|${session}`
const text = 't0 xt1 xt2 xt3 xt4 x'
const arn = 'arn:aws:bedrock:us-east-1:123456789012:application-inference-profile/abc'
const weather = {
  name: 'get_current_weather',
  schema: { type: 'object' as const, properties: { location: { type: 'string' } } },
}
const called = [weather.name, { location: 'Boston, MA' }]
const messages = [{ role: 'user' as const, content: 'Say hello.' }]

type ChatCall = { model: string; stream: boolean; tools?: boolean; key: string; url: string }
/** A response as an official client reads it: text, calls, input and output tokens. */
type Read = { text: string; calls: unknown[]; usage: unknown[] }

const openaiOf = (key: string, url: string) =>
  new OpenAI({ apiKey: key, baseURL: `${url}/v1`, maxRetries: 0 })

const byChat = async ({ model, stream, tools, key, url }: ChatCall): Promise<Read> => {
  const { completions } = openaiOf(key, url).chat
  const { name, schema: parameters } = weather
  const ask = {
    model,
    messages,
    ...(tools ? { tools: [{ type: 'function' as const, function: { name, parameters } }] } : {}),
  }
  const options = { stream_options: { include_usage: true } }
  const read = stream
    ? await completions.stream({ ...ask, ...options }).finalChatCompletion()
    : await completions.create(ask)
  const { content, tool_calls = [] } = read.choices[0]!.message
  return {
    text: content ?? '',
    calls: tool_calls.map(each =>
      each.type === 'function' ? [each.function.name, JSON.parse(each.function.arguments)] : [],
    ),
    usage: [read.usage?.prompt_tokens, read.usage?.completion_tokens],
  }
}

const byResponses = async ({ model, stream, tools, key, url }: ChatCall): Promise<Read> => {
  const { responses } = openaiOf(key, url)
  const { name, schema: parameters } = weather
  const tool = { type: 'function' as const, name, parameters, strict: false }
  const ask = { model, input: 'Say hello.', ...(tools ? { tools: [tool] } : {}) }
  const read = stream ? await responses.stream(ask).finalResponse() : await responses.create(ask)
  return {
    text: read.output_text,
    calls: read.output.flatMap(each =>
      each.type === 'function_call' ? [[each.name, JSON.parse(each.arguments)]] : [],
    ),
    usage: [read.usage?.input_tokens, read.usage?.output_tokens],
  }
}

const byMessages = async ({ model, stream, tools, key, url }: ChatCall): Promise<Read> => {
  const client = new Anthropic({ apiKey: key, baseURL: url, maxRetries: 0 })
  const { name, schema: input_schema } = weather
  const ask = {
    model,
    max_tokens: 100,
    messages,
    ...(tools ? { tools: [{ name, input_schema }] } : {}),
  }
  const read = stream
    ? await client.messages.stream(ask).finalMessage()
    : await client.messages.create(ask)
  return {
    text: read.content.map(each => (each.type === 'text' ? each.text : '')).join(''),
    calls: read.content.flatMap(each =>
      each.type === 'tool_use' ? [[each.name, each.input]] : [],
    ),
    usage: [read.usage.input_tokens, read.usage.output_tokens],
  }
}

const byGemini = async ({ model, stream, tools, key, url }: ChatCall): Promise<Read> => {
  const { models } = new GoogleGenAI({ apiKey: key, httpOptions: { baseUrl: url } })
  const { name, schema: parametersJsonSchema } = weather
  const config = tools
    ? { tools: [{ functionDeclarations: [{ name, parametersJsonSchema }] }] }
    : {}
  const ask = { model, contents: 'Say hello.', config }
  const read: Read = { text: '', calls: [], usage: [] }
  const pieces = stream
    ? await models.generateContentStream(ask)
    : [await models.generateContent(ask)]
  let hasEnded = false
  for await (const { candidates, usageMetadata } of pieces) {
    const [candidate] = candidates ?? []
    for (const part of candidate?.content?.parts ?? []) {
      read.text += part.text ?? ''
      if (part.functionCall) read.calls.push([part.functionCall.name, part.functionCall.args])
    }
    hasEnded ||= candidate?.finishReason !== undefined
    if (usageMetadata)
      read.usage = [usageMetadata.promptTokenCount, usageMetadata.candidatesTokenCount]
  }
  if (!hasEnded) throw new Error('the stream ended without its last word')
  return read
}

const clients = [
  ['openai-chat', byChat],
  ['openai-responses', byResponses],
  ['anthropic', byMessages],
  ['gemini', byGemini],
] as const

const failure = (work: Promise<unknown>): Promise<{ status?: number; message: string }> =>
  work.then(
    () => {
      throw new Error('it was answered')
    },
    error => error,
  )

describe('the fake vendor', () => {
  it('is understood by the vendor’s own client, whose signature it knows', async () => {
    const upstream = await startUpstream()
    const clientWith = (secretAccessKey: string) =>
      new BedrockRuntimeClient({
        region,
        endpoint: `${upstream.url}/sdk`,
        maxAttempts: 1,
        credentials: { accessKeyId: id, secretAccessKey, sessionToken: session },
        // The client's own request handler would use HTTP/2.
        requestHandler: { handle: sending },
      })
    const ask = {
      modelId: 'us.amazon.nova-pro-v1:0',
      messages: [{ role: 'user' as const, content: [{ text: 'Say hello.' }] }],
    }
    const client = clientWith(secret)
    const whole = await client.send(new ConverseCommand(ask))
    expect(whole.output?.message?.content).toEqual([{ text }])
    expect(whole.usage).toEqual({ inputTokens: 10, outputTokens: 5, totalTokens: 15 })
    upstream.behave('sdk', 'tools')
    const events: object[] = []
    const { stream = [] } = await client.send(new ConverseStreamCommand(ask))
    for await (const event of stream) events.push(event)
    expect(events.flatMap(each => Object.keys(each))).toEqual([
      'messageStart',
      ...Array.from({ length: 5 }, () => 'contentBlockDelta'),
      'contentBlockStop',
      'contentBlockStart',
      'contentBlockDelta',
      'contentBlockDelta',
      'contentBlockStop',
      'messageStop',
      'metadata',
    ])
    upstream.behave('sdk', 'exception=throttlingException;after=1')
    const { stream: broken = [] } = await client.send(new ConverseStreamCommand(ask))
    const reading = async () => {
      for await (const _ of broken);
    }
    expect(await failure(reading())).toMatchObject({ name: 'ThrottlingException' })
    expect(await failure(clientWith('another').send(new ConverseCommand(ask)))).toMatchObject({
      $metadata: { httpStatusCode: 403 },
    })
    await upstream.close()
  })
})

type Sent = {
  protocol: string
  hostname: string
  port?: number
  path: string
  method: string
  headers: Record<string, string>
  body: Uint8Array
}

const sending = async (request: Sent) => {
  const { protocol, hostname, port, path, method, body } = request
  const { 'content-length': _, host: __, ...headers } = request.headers
  const address = `${protocol}//${hostname}:${port}${path}`
  const answer = await fetch(address, { method, headers, body: new Uint8Array(body) })
  const response = {
    statusCode: answer.status,
    headers: Object.fromEntries(answer.headers),
    body: Readable.fromWeb(answer.body as ReadableStream),
  }
  return { response: response as never }
}

describeOneEngine(engine => {
  let hub: TestHub
  let person: Person
  beforeAll(async () => {
    hub = await startTestHub(engine)
    person = await hub.admin.addPerson(10_000_000)
    const channel = (name: string, key: string, target: string, more: object = {}) =>
      hub.admin.addChannel(`${hub.upstream.url}/${name}`, {
        type: 32,
        key,
        models: `m-${name}`,
        model_mapping: JSON.stringify({ [`m-${name}`]: `+${target}` }),
        ...more,
      })
    await channel('nova', sessionKey, 'us.amazon.nova-pro-v1:0')
    await channel('llama', `${region}|made-up-key`, 'us.meta.llama3-3-70b-instruct-v1:0')
    await channel('arn', longKey, arn)
    await channel('stranger', `${region}|${id}|another-secret`, 'us.amazon.nova-pro-v1:0')
    for (const name of ['full', 'wrong', 'cut', 'reset', 'fails', 'late'])
      await channel(name, sessionKey, 'us.amazon.nova-pro-v1:0')
    await channel('first', sessionKey, 'us.amazon.nova-pro-v1:0', { models: 'm-two', priority: 9 })
    await channel('second', sessionKey, 'us.amazon.nova-pro-v1:0', { models: 'm-two' })
    await hub.admin.setPrice('m-*', 'tokens', 1, 1)
  })
  afterAll(() => hub?.close())
  beforeEach(() => hub.upstream.forget())

  const chatCall = (model: string, stream: boolean, more: { tools?: boolean } = {}): ChatCall => ({
    model,
    stream,
    ...more,
    key: person.key,
    url: hub.gateway.url,
  })
  const charged = async (work: () => Promise<void>): Promise<number[]> => {
    const before = (await chargesOf(hub.gateway, person.id)).length
    await work()
    await hub.settled()
    return (await chargesOf(hub.gateway, person.id)).slice(before).map(each => each.amount)
  }
  const bodyOf = (at: number) => JSON.parse(String(hub.upstream.served.at(at)?.body))

  it.each(clients)('an %s client reads words and calls, whole and streamed', async (_, ask) => {
    hub.upstream.behave('nova', '')
    const amounts = await charged(async () => {
      for (const stream of [false, true])
        expect(await ask(chatCall('m-nova', stream))).toEqual({ text, calls: [], usage: [10, 5] })
    })
    expect(amounts).toEqual([15, 15])
    expect(hub.upstream.served.map(each => each.path)).toEqual([
      '/nova/model/us.amazon.nova-pro-v1%3A0/converse',
      '/nova/model/us.amazon.nova-pro-v1%3A0/converse-stream',
    ])
    expect(bodyOf(0).messages).toEqual([{ role: 'user', content: [{ text: 'Say hello.' }] }])
    expect(bodyOf(1)).toEqual(bodyOf(0))
    expect([bodyOf(0).model, bodyOf(1).stream]).toEqual([undefined, undefined])

    hub.upstream.behave('nova', 'tools;in=30;out=7')
    const spent = await charged(async () => {
      for (const stream of [false, true])
        expect(await ask(chatCall('m-nova', stream, { tools: true }))).toMatchObject({
          calls: [called],
          usage: [30, 7],
        })
    })
    expect(spent).toEqual([37, 37])
    expect(bodyOf(-1).toolConfig.tools).toEqual([
      { toolSpec: { name: weather.name, inputSchema: { json: weather.schema } } },
    ])
  })

  it('an API key is shown, keys sign, and a profile is called by its whole name', async () => {
    const amounts = await charged(async () => {
      for (const model of ['m-llama', 'm-arn', 'm-nova'])
        expect((await byChat(chatCall(model, true))).text).not.toBe('')
    })
    expect(amounts).toHaveLength(3)
    const [bearer, long, short] = hub.upstream.served
    expect(bearer?.credential).toBe('Bearer made-up-key')
    expect(long?.path).toBe(`/arn/model/${encodeURIComponent(arn)}/converse-stream`)
    expect(long?.credential).toMatch(/^AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE\//)
    expect(long?.headers['x-amz-security-token']).toBeUndefined()
    expect(short?.headers['x-amz-security-token']).toBe(session)
    for (const { headers } of hub.upstream.served)
      expect(JSON.stringify(headers)).not.toContain(secret)
  })

  it('a signature with another secret is refused, and nothing is charged', async () => {
    const amounts = await charged(async () => {
      const { status, message } = await failure(byChat(chatCall('m-stranger', false)))
      expect(status).toBe(502)
      expect(message).not.toContain('another-secret')
    })
    expect(amounts).toEqual([])
  })

  it('tokens read from a cache, or written to it, are reported and charged as such', async () => {
    hub.upstream.behave('nova', 'read=100;written=20')
    const client = new Anthropic({ apiKey: person.key, baseURL: hub.gateway.url, maxRetries: 0 })
    await charged(async () => {
      const system = [
        { type: 'text' as const, text: 'Long.', cache_control: { type: 'ephemeral' as const } },
      ]
      const ask = { model: 'm-nova', max_tokens: 9, messages, system }
      for (const read of [
        await client.messages.create(ask),
        await client.messages.stream(ask).finalMessage(),
      ])
        expect(read.usage).toMatchObject({
          input_tokens: 10,
          cache_read_input_tokens: 100,
          cache_creation_input_tokens: 20,
          output_tokens: 5,
        })
    })
    expect(bodyOf(-1).system).toEqual([{ text: 'Long.' }, { cachePoint: { type: 'default' } }])
    const [whole, streamed] = (await chargesOf(hub.gateway, person.id)).slice(-2)
    for (const each of [whole, streamed])
      expect(JSON.parse(each?.usage ?? '{}').usage).toEqual({
        input: 10,
        cacheRead: 100,
        cacheWrite5m: 20,
        output: 5,
      })
    expect(whole?.amount).toBe(streamed?.amount)
  })

  it('a refusal is encoded in the caller’s dialect, and nothing is charged', async () => {
    hub.upstream.behave('full', 'status=429')
    hub.upstream.behave(
      'wrong',
      'status=400;keywords=The conversation must start with a user message.',
    )
    const amounts = await charged(async () => {
      expect(await failure(byChat(chatCall('m-full', true)))).toMatchObject({ status: 429 })
      expect(await failure(byMessages(chatCall('m-wrong', false)))).toMatchObject({
        status: 400,
        type: 'invalid_request_error',
      })
    })
    expect(amounts).toEqual([])
  })

  it('an exception before the first word is another channel’s chance; there is one answer, and one charge', async () => {
    hub.upstream.behave('first', 'exception=throttlingException;after=0')
    hub.upstream.behave('second', '')
    const amounts = await charged(async () => {
      expect((await byMessages(chatCall('m-two', true))).text).toBe(text)
    })
    expect(amounts).toEqual([15])
    expect(hub.upstream.served.map(each => each.channel)).toEqual(['first', 'second'])
    hub.upstream.behave('late', 'exception=throttlingException;after=0')
    expect(await failure(byChat(chatCall('m-late', true)))).toMatchObject({ status: 429 })
  })

  it.each([
    ['m-fails', 'out=9;exception=modelStreamErrorException;after=3'],
    ['m-cut', 'out=9;fin=3'],
    ['m-reset', 'out=9;reset=3'],
  ])('%s breaks off: each client is told, and what came is paid', async (model, script) => {
    hub.upstream.behave(model.slice(2), script)
    for (const [name, ask] of clients) {
      const amounts = await charged(async () => {
        const { message } = await failure(ask(chatCall(model, true)))
        expect([name, message]).not.toEqual([name, ''])
      })
      // The prompt by the gateway's own estimate, and three pieces.
      expect([name, amounts.length]).toEqual([name, 1])
      expect(amounts[0]).toBeGreaterThan(3)
      expect(amounts[0]).toBeLessThan(200 + estimatedTokens(3 * 4))
    }
  })

  it('nothing stays held', async () => {
    await hub.settled()
    expect(await countHolds(hub.gateway)).toBe(0)
    expect(await accountOf(hub.gateway, person.id)).toMatchObject({ held: 0 })
    await hub.audit()
  })
})
