import {
  ApiError,
  type Content,
  type GenerateContentConfig,
  GoogleGenAI,
  type Part,
} from '@google/genai'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { answers, calls, proof, proofOf, shownTo, thought, usage } from './answers.ts'
import { eventsOf } from './sse.ts'
import { type Kind, kinds, type Model, type Stage, startStage } from './stage.ts'

// Gemini CLI, step by step, after google-gemini/gemini-cli (paths below are in packages/core/src/). It uses the
// official client, and so does this script; its stream reader is its own.

/** core/contentGenerator.ts: its own user agent, GEMINI_CLI_CUSTOM_HEADERS, and who the installation is. */
const headers = {
  'User-Agent': 'GeminiCLI/0.21.0/gemini-3-pro (linux; x64; terminal)',
  'x-gemini-api-privileged-user-id': '0e2a7c1c-6a5e-4c8b-9f0a-installation',
  'x-of-my-company': 'team-7',
}

const readFile = {
  name: 'read_file',
  description: 'Reads a file.',
  parametersJsonSchema: {
    type: 'object',
    properties: { absolute_path: { type: 'string' } },
    required: ['absolute_path'],
  },
}
const call = { name: 'read_file', args: { absolute_path: '/tmp/notes.txt' } }

/** core/client.ts, config/defaultModelConfigs.ts */
const config: GenerateContentConfig = {
  systemInstruction: 'You are an interactive CLI agent.',
  temperature: 1,
  topP: 0.95,
  topK: 64,
  thinkingConfig: { includeThoughts: true, thinkingBudget: 8_192 },
  tools: [{ functionDeclarations: [readFile] }],
}
const question: Content[] = [
  { role: 'user', parts: [{ text: 'This is the Gemini CLI. Today is Saturday.' }] },
  { role: 'user', parts: [{ text: 'What do my notes say?' }] },
]

let stage: Stage
let client: GoogleGenAI
beforeAll(async () => {
  stage = await startStage()
  client = clientWith({})
})
afterAll(() => stage?.close())

const clientWith = (more: Record<string, string>, apiVersion = 'v1beta', key = stage.person.key) =>
  new GoogleGenAI({
    apiKey: key,
    apiVersion,
    httpOptions: { baseUrl: stage.url, headers: { ...headers, ...more } },
  })

/**
 * core/geminiChat.ts, `processStreamResponse`: a stream without a finish reason, or without a call or a text, is invalid;
 * a chunk with an empty text is passed over; thoughts are shown and not kept; texts are put together.
 */
const ask = async ({ model }: { model: string }, contents: Content[], with_ = client) => {
  const stream = await with_.models.generateContentStream({ model, contents, config })
  const kept: Part[] = []
  const all: Part[] = []
  let finish: string | undefined
  let received: unknown
  for await (const { candidates, usageMetadata } of stream) {
    finish = candidates?.find(each => each.finishReason)?.finishReason ?? finish
    received = usageMetadata ?? received
    const parts = candidates?.[0]?.content?.parts ?? []
    all.push(...parts)
    const isEmpty = (part: Part) => !part.thought && part.text === ''
    if (parts.length === 0 || parts.some(isEmpty)) continue
    for (const part of parts.filter(each => !each.thought)) {
      const last = kept.at(-1)
      if (last?.text !== undefined && part.text !== undefined && !part.thoughtSignature)
        last.text += part.text
      else kept.push({ ...part })
    }
  }
  const text = kept.map(each => each.text ?? '').join('')
  if (!kept.some(each => each.functionCall)) {
    if (!finish) throw new Error('NO_FINISH_REASON')
    if (text.trim() === '') throw new Error('NO_RESPONSE_TEXT')
  }
  return { kept, all, text, finish, received }
}

/** core/coreToolScheduler.ts, `convertToFunctionResponse` */
const resultOf = ({ functionCall }: Part, output: string): Content => ({
  role: 'user',
  parts: [
    {
      functionResponse: {
        ...(functionCall?.id === undefined ? {} : { id: functionCall.id }),
        name: functionCall?.name ?? '',
        response: { output },
      },
    },
  ],
})

describe('an upstream of its own dialect', () => {
  it.each([
    ['x-goog-api-key', {}, 'v1beta'],
    // GEMINI_API_KEY_AUTH_MECHANISM=bearer sends the key twice; GOOGLE_GENAI_API_VERSION names the version.
    ['bearer', { Authorization: 'Bearer KEY' }, 'v1'],
  ] as const)('gets the same words and headers (%s)', async (_, more, version) => {
    const model = await stage.model('gemini', { model_mapping: '{}' })
    const { say } = answers('gemini', 'They are empty.')
    model.next({ say })
    const auth = Object.fromEntries(
      Object.entries(more).map(([name, value]) => [name, value.replace('KEY', stage.person.key)]),
    )
    const { text } = await ask(model, question, clientWith(auth, version))
    expect(text).toBe('They are empty.')
    const [seen] = model.requests
    expect(seen?.path).toBe(`/v1beta/models/${model.model}:streamGenerateContent?alt=sse`)
    // A channel passes a site's own headers only if it lists them.
    expect(seen?.headers['x-of-my-company']).toBeUndefined()
    expect(seen?.headers).toMatchObject({
      'x-gemini-api-privileged-user-id': headers['x-gemini-api-privileged-user-id'],
      'user-agent': expect.stringContaining('GeminiCLI/0.21.0'),
      'x-goog-api-client': expect.stringContaining('google-genai-sdk/'),
      'x-goog-api-key': expect.stringMatching(/^sk-vendor-/),
    })
    expect(JSON.stringify(seen?.headers)).not.toContain(stage.person.key)
    const { topK, thinkingConfig } = seen?.body.generationConfig ?? {}
    expect([topK, thinkingConfig]).toEqual([64, config.thinkingConfig])
  })

  it('a stream passes as it came, without a closing word', async () => {
    const model = await stage.model('gemini', { model_mapping: '{}' })
    const { say } = answers('gemini', 'As it came.')
    model.next({ say })
    const path = `/v1beta/models/${model.model}:streamGenerateContent?alt=sse`
    const response = await fetch(`${stage.url}${path}`, {
      method: 'POST',
      headers: { 'x-goog-api-key': stage.person.key, 'content-type': 'application/json' },
      body: JSON.stringify({ contents: question, future_field: [1, 2.5] }),
    })
    expect(await response.text()).toBe(say.join(''))
    expect(model.requests[0]?.body.future_field).toEqual([1, 2.5])
    expect(response.headers.get('x-request-id')).toMatch(/^\d+$/)
  })

  it('tokens are counted by the vendor, elsewhere by the gateway; nothing is charged', async () => {
    // core/client.ts counts before it compresses a conversation.
    const amounts = await stage.charged(async () => {
      const own = await stage.model('gemini')
      own.next({ headers: { 'content-type': 'application/json' }, say: ['{"totalTokens":31}'] })
      const counted = await client.models.countTokens({ model: own.model, contents: question })
      expect(counted.totalTokens).toBe(31)
      expect(own.requests[0]?.path).toBe('/v1beta/models/gemini-3-pro:countTokens')
      const other = await stage.model('anthropic')
      other.next({ status: 404, say: [] })
      const estimated = await client.models.countTokens({ model: other.model, contents: question })
      expect(estimated.totalTokens).toBeGreaterThan(5)
    })
    expect(amounts).toEqual([])
  })
})

describe('embeddings', () => {
  it('texts become vectors, and are charged once', async () => {
    // core/contentGenerator.ts, `embedContent`; the official client posts several texts as one batch.
    const model = await stage.model('gemini')
    const body = '{"embeddings":[{"values":[0.25,-0.5]},{"values":[1,0]}]}'
    model.next({ headers: { 'content-type': 'application/json' }, say: [body] })
    const amounts = await stage.charged(async () => {
      const { embeddings } = await client.models.embedContent({
        model: model.model,
        contents: ['buy milk', 'buy bread'],
      })
      expect(embeddings?.map(each => each.values)).toEqual([
        [0.25, -0.5],
        [1, 0],
      ])
    })
    expect(amounts).toHaveLength(1)
    expect(model.requests[0]?.path).toBe('/v1beta/models/gemini-3-pro:batchEmbedContents')
  })
})

describe.each(kinds)('a conversation with a tool, through %s', (kind: Kind) => {
  const converse = async (model: Model, keeps: 'kept' | 'all') => {
    model.next(calls(kind, call), answers(kind, 'They say: buy milk.'))
    const first = await ask(model, question)
    const made = first.kept.find(each => each.functionCall)!
    const turn: Content = { role: 'model', parts: first[keeps] }
    const second = await ask(model, [...question, turn, resultOf(made, 'buy milk')])
    return { first, made, second }
  }

  it('thinks, calls, is given the result, answers', async () => {
    const model = await stage.model(kind)
    const amounts = await stage.charged(async () => {
      const { first, made, second } = await converse(model, 'kept')
      expect(first.all.filter(each => each.thought && each.text)).toMatchObject([{ text: thought }])
      expect(made.functionCall).toMatchObject(call)
      expect(first.received).toMatchObject({
        promptTokenCount: usage.input,
        cachedContentTokenCount: usage.cached,
        candidatesTokenCount: usage.output - usage.reasoning,
        thoughtsTokenCount: usage.reasoning,
        totalTokenCount: usage.input + usage.output,
      })
      expect([second.text, second.finish]).toEqual(['They say: buy milk.', 'STOP'])
    })
    expect(amounts).toHaveLength(2)
    const shown = shownTo(kind, model.requests[1]!)
    expect(shown).toMatchObject({ name: 'read_file', args: call.args })
    expect(shown.result).toContain('buy milk')
    // Its history keeps the signature of the call, not the thoughts.
    if (kind === 'gemini') expect(shown.proof).toBe(proof)
  })

  it('a history with its thoughts returns every signature', async () => {
    // googleapis/js-genai src/chats.ts records all parts; the CLI of 2025 did so too.
    const model = await stage.model(kind)
    await converse(model, 'all')
    expect(shownTo(kind, model.requests[1]!).proof).toBe(proofOf(kind))
  })

  it('a short question is answered whole, as JSON by a schema', async () => {
    // core/baseLlmClient.ts, `generateJson`: chooses the next speaker, detects loops.
    if (kind !== 'gemini' && kind !== 'openai-chat') return
    const model = await stage.model(kind)
    const schema = { type: 'object', properties: { next: { type: 'string' } }, required: ['next'] }
    model.next({ headers: { 'content-type': 'application/json' }, say: [whole[kind]] })
    const answer = await client.models.generateContent({
      model: model.model,
      contents: question,
      config: { responseMimeType: 'application/json', responseJsonSchema: schema, temperature: 0 },
    })
    expect(JSON.parse(answer.text ?? '')).toEqual({ next: 'user' })
    expect(JSON.stringify(model.requests[0]?.body)).toContain('"next"')
  })

  it('nothing that only its own vendor understands arrives elsewhere', async () => {
    const model = await stage.model(kind)
    model.next(answers(kind, 'Yes, I am here.'))
    await ask(model, question)
    const [seen] = model.requests
    const isOwn = kind === 'gemini'
    for (const name of ['x-goog-api-client', 'x-gemini-api-privileged-user-id'])
      expect([name, seen?.headers[name] !== undefined]).toEqual([name, isOwn])
    const sentBody = JSON.stringify(seen?.body)
    for (const field of ['thinkingConfig', 'functionDeclarations', 'generationConfig'])
      expect([field, sentBody.includes(field)]).toEqual([field, isOwn])
    expect(sentBody).toContain('You are an interactive CLI agent.')
  })
})

/** https://ai.google.dev/api/generate-content, https://platform.openai.com/docs/api-reference/chat/object */
const whole = {
  gemini:
    '{"candidates":[{"content":{"parts":[{"text":"{\\"next\\":\\"user\\"}"}],"role":"model"},"finishReason":"STOP","index":0}],"usageMetadata":{"promptTokenCount":9,"candidatesTokenCount":5,"totalTokenCount":14}}',
  'openai-chat':
    '{"id":"chatcmpl-1","object":"chat.completion","created":1,"model":"m","choices":[{"index":0,"message":{"role":"assistant","content":"{\\"next\\":\\"user\\"}"},"finish_reason":"stop"}],"usage":{"prompt_tokens":9,"completion_tokens":5,"total_tokens":14}}',
}

describe('refusals, retries and silence', () => {
  const json = { 'content-type': 'application/json' }
  const failure = (work: Promise<unknown>) =>
    work.then(
      () => {
        throw new Error('it was answered')
      },
      error => error as ApiError,
    )
  type Detail = { '@type': string; retryDelay?: string; reason?: string }
  const detailsOf = ({ message }: ApiError): Detail[] => JSON.parse(message).error.details

  it.each([
    [
      'gemini',
      503,
      '{"error":{"code":503,"message":"The model is overloaded.","status":"UNAVAILABLE"}}',
    ],
    [
      'gemini',
      429,
      '{"error":{"code":429,"message":"Please retry in 1s.","status":"RESOURCE_EXHAUSTED","details":[{"@type":"type.googleapis.com/google.rpc.RetryInfo","retryDelay":"1s"}]}}',
    ],
    [
      'anthropic',
      529,
      '{"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}}',
    ],
  ] as const)(
    '%s answers %i: it waits, asks again, and is answered',
    async (kind, status, body) => {
      // utils/retry.ts: up to 10 attempts after 429 and 5xx, never after 400.
      const model = await stage.model(kind)
      model.next(
        { status, headers: { ...json, 'retry-after': '0.1' }, say: [body] },
        answers(kind, 'Here I am.'),
      )
      const error = await failure(ask(model, question))
      expect(error).toBeInstanceOf(ApiError)
      expect(error.status === 429 || error.status >= 500).toBe(true)
      if (error.status === 429)
        expect(detailsOf(error)).toContainEqual(expect.objectContaining({ retryDelay: '1s' }))
      await new Promise(resolve => setTimeout(resolve, 250))
      expect((await ask(model, question)).text).toBe('Here I am.')
    },
  )

  it('a spent balance is one after which it gives up at once', async () => {
    // utils/googleQuotaErrors.ts: a delay of more than 300 s is terminal; without one it asks ten times.
    const poor = await stage.hub.admin.addPerson(0)
    const model = await stage.model('gemini')
    const error = await failure(ask(model, question, clientWith({}, 'v1beta', poor.key)))
    expect(JSON.parse(error.message).error).toMatchObject({
      code: 429,
      status: 'RESOURCE_EXHAUSTED',
    })
    const [delay] = detailsOf(error).flatMap(({ retryDelay }) => retryDelay ?? [])
    expect(Number.parseFloat(delay ?? '0')).toBeGreaterThan(300)
    expect(model.requests).toEqual([])
  })

  it('the vendor’s own refusal arrives unchanged; a model without a channel is not found', async () => {
    const model = await stage.model('gemini')
    const body =
      '{"error":{"code":400,"message":"Request contains an invalid argument.","status":"INVALID_ARGUMENT"}}'
    model.next({ status: 400, headers: json, say: [body] })
    const refused = await failure(ask(model, question))
    expect([refused.status, JSON.parse(refused.message)]).toEqual([400, JSON.parse(body)])
    // utils/googleQuotaErrors.ts: 404 is ModelNotFoundError, for which it offers another model.
    expect(await failure(ask({ model: 'claude-cli-nobody' }, question))).toMatchObject({
      status: 404,
    })
    const stranger = clientWith({}, 'v1beta', 'sk-nobody')
    expect(await failure(ask(model, question, stranger))).toMatchObject({ status: 401 })
  })

  it('an error inside the stream is thrown by the client', async () => {
    const model = await stage.model('gemini')
    const { say } = answers('gemini', 'It begins and')
    const error =
      'data: {"error":{"code":503,"message":"The model is overloaded.","status":"UNAVAILABLE"}}\n\n'
    model.next({ say: [...say.slice(0, 1), 100, error] })
    const thrown = await failure(ask(model, question))
    expect([502, 503]).toContain(thrown.status)
  })

  it('pings while the vendor is silent are none of the client’s business', async () => {
    // The client has no idle limit, but proxies in front of it do. See claude-code.test.ts for the clock.
    await stage.hub.admin.setOption('PingSeconds', '1')
    try {
      const model = await stage.model('gemini')
      const { say } = answers('gemini', 'It took me a while.')
      model.next({ say: [1_200, ...say.slice(0, 1), 1_600, ...say.slice(1)] })
      expect((await ask(model, question)).text).toBe('It took me a while.')
      const other = await stage.model('anthropic')
      const slow = answers('anthropic', 'So did I.')
      other.next({ say: [...slow.say.slice(0, 2), 1_600, ...slow.say.slice(2)] })
      const path = `/v1beta/models/${other.model}:streamGenerateContent?alt=sse`
      const response = await fetch(`${stage.url}${path}`, {
        method: 'POST',
        headers: { 'x-goog-api-key': stage.person.key, 'content-type': 'application/json' },
        body: JSON.stringify({ contents: question }),
      })
      const twice = response.clone()
      const data: string[] = []
      for await (const each of eventsOf(response)) data.push(each.data)
      expect(data.every(each => Array.isArray(JSON.parse(each).candidates))).toBe(true)
      expect((await twice.text()).match(/^: ping$/gm)?.length).toBeGreaterThanOrEqual(1)
    } finally {
      await stage.hub.admin.setOption('PingSeconds', '15')
    }
  })
})
