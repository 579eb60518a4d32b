import Anthropic from '@anthropic-ai/sdk'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { retryTiming } from '../../../harness/runner/retries.ts'
import { answers, calls, proofOf, shownTo, thought, usage } from './answers.ts'
import { eventsOf } from './sse.ts'
import { type Kind, kinds, type Model, type Stage, startStage } from './stage.ts'

// Claude Code, step by step. What it needs is in https://code.claude.com/docs/en/llm-gateway-protocol ("protocol" below)
// and https://code.claude.com/docs/en/env-vars; what it sends was looked at in public captures of 2.x. It posts with the
// official client, `beta.messages.create({ stream: true })`, and so does this script.

const session = '0198c1ab-2c35-7d5e-9f00-1d2a3b4c5d6e'
/**
 * protocol, "Request headers": the two of the API pass unchanged, those of the session may be used for attribution.
 */
const headers = {
  'user-agent': 'claude-cli/2.1.303 (external, cli)',
  'x-app': 'cli',
  'anthropic-version': '2023-06-01',
  'anthropic-dangerous-direct-browser-access': 'true',
  'x-claude-code-session-id': session,
  'x-claude-code-agent-id': 'agent-7',
  'x-claude-code-parent-agent-id': 'agent-1',
}
const betas = [
  'claude-code-20250219',
  'interleaved-thinking-2025-05-14',
  'context-management-2025-06-27',
  'effort-2025-11-24',
  'some-beta-of-tomorrow-2027-01-01',
]
/** protocol, "System prompt attribution block": the first block changes, so a gateway must not reorder or merge them. */
const system = [
  {
    type: 'text' as const,
    text: 'x-anthropic-billing-header: cc_version=2.1.303; cc_entrypoint=cli;',
  },
  {
    type: 'text' as const,
    text: "You are Claude Code, Anthropic's official CLI for Claude.",
    cache_control: { type: 'ephemeral' as const, ttl: '1h' as const },
  },
  { type: 'text' as const, text: '# Environment', cache_control: { type: 'ephemeral' as const } },
]
const read = {
  name: 'Read',
  description: 'Reads a file.',
  input_schema: {
    $schema: 'http://json-schema.org/draft-07/schema#',
    type: 'object' as const,
    properties: { file_path: { type: 'string' } },
    required: ['file_path'],
    additionalProperties: false,
  },
}
const search = { type: 'web_search_20250305' as const, name: 'web_search' as const, max_uses: 8 }
const call = { name: 'Read', args: { file_path: '/tmp/notes.txt' } }
const question = {
  role: 'user' as const,
  content: [
    { type: 'text' as const, text: '<system-reminder>Today is Saturday.</system-reminder>' },
    {
      type: 'text' as const,
      text: 'What do my notes say?',
      cache_control: { type: 'ephemeral' as const },
    },
  ],
}

type Params = Anthropic.Beta.MessageCreateParamsStreaming
/** anthropics/claude-code#55211: adaptive thinking by default; `context_management` comes with its beta header. */
const request = (model: string, messages: Params['messages']): Params => ({
  model,
  max_tokens: 32_000,
  stream: true,
  system,
  messages,
  tools: [read, search],
  thinking: { type: 'adaptive' },
  output_config: { effort: 'high' },
  context_management: { edits: [{ type: 'clear_thinking_20251015', keep: 'all' }] },
  metadata: { user_id: `{"device_id":"d1","account_uuid":"","session_id":"${session}"}` },
  betas,
})

let stage: Stage
let client: Anthropic
beforeAll(async () => {
  stage = await startStage()
  client = clientWith({ authToken: stage.person.key, apiKey: null })
})
afterAll(() => stage?.close())

const clientWith = (
  auth: { authToken?: string | null; apiKey?: string | null },
  more: Record<string, string> = {},
) => {
  const defaultHeaders = { ...headers, ...more }
  return new Anthropic({ ...auth, baseURL: stage.url, maxRetries: 0, defaultHeaders })
}

/** Reads as strictly as the client may: blocks one after another, counted from 0, each begun and ended. */
const ask = async (messages: Params['messages'], { model }: Model) => {
  const stream = await client.beta.messages.create(request(model, messages))
  const content: Record<string, unknown>[] = []
  const order: string[] = []
  let stop: string | null = null
  let received: Record<string, unknown> = {}
  let isOpen = false
  for await (const event of stream) {
    if (order.at(-1) !== event.type) order.push(event.type)
    switch (event.type) {
      case 'message_start':
        received = { ...event.message.usage }
        break
      case 'content_block_start':
        expect([isOpen, event.index]).toEqual([false, content.length])
        content.push({ ...event.content_block })
        isOpen = true
        break
      case 'content_block_delta': {
        expect([isOpen, event.index]).toEqual([true, content.length - 1])
        grow(content.at(-1)!, event.delta)
        break
      }
      case 'content_block_stop':
        expect([isOpen, event.index]).toEqual([true, content.length - 1])
        isOpen = false
        break
      case 'message_delta':
        stop = event.delta.stop_reason
        received = { ...received, ...event.usage }
        break
    }
  }
  for (const each of content)
    if (each.type === 'tool_use') each.input = JSON.parse(String(each.json))
  return { content: content.map(({ json, ...rest }) => rest), order, stop, received }
}

const grow = (block: Record<string, unknown>, delta: Anthropic.Beta.BetaRawContentBlockDelta) => {
  if (delta.type === 'text_delta') block.text = `${block.text}${delta.text}`
  if (delta.type === 'thinking_delta') block.thinking = `${block.thinking}${delta.thinking}`
  if (delta.type === 'signature_delta')
    block.signature = `${block.signature ?? ''}${delta.signature}`
  if (delta.type === 'input_json_delta') block.json = `${block.json ?? ''}${delta.partial_json}`
}

describe('before the first question', () => {
  it('the probe is answered without a key', async () => {
    // protocol, "Optional endpoints and startup traffic": HEAD /api/hello, may be refused.
    const probe = await fetch(`${stage.url}/api/hello`, { method: 'HEAD' })
    expect([probe.status, probe.redirected]).toEqual([200, false])
  })

  it('models are found within three seconds, without a redirect, with either key header and both', async () => {
    // protocol, "Model discovery": GET /v1/models?limit=1000; keeps ids that contain claude or anthropic.
    const { model } = await stage.model('anthropic')
    const { key } = stage.person
    const forms: Record<string, string>[] = [
      { authorization: `Bearer ${key}` },
      { 'x-api-key': key },
      // A key helper's answer is sent in both.
      { authorization: `Bearer ${key}`, 'x-api-key': key },
    ]
    for (const auth of forms) {
      const response = await fetch(`${stage.url}/v1/models?limit=1000`, {
        headers: { ...auth, ...headers },
        redirect: 'error',
      })
      const { data } = (await response.json()) as { data: { id: string; display_name: string }[] }
      const found = data.filter(({ id }) => /claude|anthropic/i.test(id))
      expect(found).toContainEqual(expect.objectContaining({ id: model, display_name: model }))
    }
  })

  it('tokens are counted with the same headers, by the vendor where it counts', async () => {
    // protocol: /v1/messages/count_tokens is optional; the client posts it with ?beta=true too.
    const { model, requests, next } = await stage.model('anthropic')
    next({ headers: { 'content-type': 'application/json' }, say: ['{"input_tokens":2095}'] })
    const counted = await client.beta.messages.countTokens({
      model,
      system,
      messages: [question],
      tools: [read],
      thinking: { type: 'adaptive' },
      betas,
    })
    expect(counted.input_tokens).toBe(2_095)
    expect(requests[0]?.path).toBe('/v1/messages/count_tokens')
    expect(requests[0]?.headers['anthropic-beta']).toContain(betas.join(','))
    const elsewhere = await stage.model('gemini')
    const estimated = await client.beta.messages.countTokens({
      model: elsewhere.model,
      messages: [question],
    })
    expect(estimated.input_tokens).toBeGreaterThan(5)
  })
})

describe('an upstream of its own dialect', () => {
  it('gets the same bytes and headers, with each form of the key', async () => {
    // env-vars: ANTHROPIC_AUTH_TOKEN is a bearer, ANTHROPIC_API_KEY goes as x-api-key; a key helper sends both.
    const { key } = stage.person
    const forms = [
      clientWith({ authToken: key, apiKey: null }),
      clientWith({ apiKey: key }),
      clientWith({ authToken: key, apiKey: null }, { 'x-api-key': key }),
    ]
    for (const client of forms) {
      const model = await stage.model('anthropic', { model_mapping: '{}' })
      model.next(answers('anthropic', 'Your notes are empty.'))
      const stream = await client.beta.messages.create(request(model.model, [question]))
      for await (const _ of stream);
      const [seen] = model.requests
      const { betas: sentBody, ...body } = request(model.model, [question])
      expect(seen?.text).toBe(JSON.stringify(body))
      expect(seen?.path).toMatch(/^\/v1\/messages(\?beta=true)?$/)
      expect(seen?.headers).toMatchObject(headers)
      expect(seen?.headers['anthropic-beta']).toBe(sentBody?.join(','))
      for (const name of [
        'x-stainless-lang',
        'x-stainless-retry-count',
        'x-stainless-package-version',
      ])
        expect(seen?.headers[name]).toEqual(expect.any(String))
      expect(JSON.stringify(seen?.headers)).not.toContain(key)
      expect(seen?.headers.authorization).toBeUndefined()
    }
  })

  it('unknown fields pass through in both directions', async () => {
    // protocol, "Feature pass-through": unknown body fields, blocks and events are forwarded.
    const model = await stage.model('anthropic', { model_mapping: '{}' })
    const odd = 'event: future_event\ndata: {"type":"future_event","x":[1, 2.50]}\n\n'
    const { say } = answers('anthropic', 'Hello again.')
    model.next({ say: [...say.slice(0, 1), odd, ...say.slice(1)] })
    const body = `{"model":"${model.model}","stream":true,"max_tokens":9,"pace":"fast", "messages":[{"role":"user","content":[{"type":"future_block","v":1.0}]}]}`
    const response = await fetch(`${stage.url}/v1/messages?beta=true`, {
      method: 'POST',
      headers: { 'x-api-key': stage.person.key, 'content-type': 'application/json' },
      body,
    })
    expect(await response.text()).toBe([...say.slice(0, 1), odd, ...say.slice(1)].join(''))
    expect(model.requests[0]?.text).toBe(body)
    expect(response.headers.get('request-id')).toMatch(/^\d+$/)
    expect(response.headers.get('cache-control')).toContain('no-store')
  })
})

describe.each(kinds)('a conversation with a tool, through %s', (kind: Kind) => {
  it('thinks, calls, is given the result, answers; what was signed comes back', async () => {
    const model = await stage.model(kind)
    model.next(calls(kind, call), answers(kind, 'They say: buy milk.'))
    const amounts = await stage.charged(async () => {
      const first = await ask([question], model)
      // A signature without thinking travels in a block of its own.
      const shownBlocks = first.content.filter(each => each.type !== 'redacted_thinking')
      expect(shownBlocks).toMatchObject([
        { type: 'thinking', thinking: thought },
        { type: 'tool_use', name: 'Read', input: call.args },
      ])
      expect(first.stop).toBe('tool_use')
      expect(first.order[0]).toBe('message_start')
      expect(first.order.slice(-2)).toEqual(['message_delta', 'message_stop'])
      expect(first.received).toMatchObject({
        input_tokens: usage.input - usage.cached,
        cache_read_input_tokens: usage.cached,
        output_tokens: usage.output,
      })
      // The whole turn goes back as it came, the thinking with its signature.
      const id = String(first.content.find(each => each.type === 'tool_use')?.id)
      const second = await ask(
        [
          question,
          {
            role: 'assistant',
            content: first.content as unknown as Anthropic.Beta.BetaContentBlockParam[],
          },
          {
            role: 'user',
            content: [
              {
                type: 'tool_result',
                tool_use_id: id,
                content: [{ type: 'text', text: '1\tbuy milk' }],
              },
            ],
          },
        ],
        model,
      )
      expect(second.content).toMatchObject([{ type: 'text', text: 'They say: buy milk.' }])
      expect(second.stop).toBe('end_turn')
    })
    expect(amounts).toHaveLength(2)
    const shown = shownTo(kind, model.requests[1]!)
    expect(shown).toMatchObject({ name: 'Read', args: call.args, proof: proofOf(kind) })
    expect(shown.result).toContain('buy milk')
  })

  it('nothing that only its own vendor understands arrives elsewhere: neither header nor field', async () => {
    const model = await stage.model(kind)
    model.next(answers(kind, 'Yes, I am here.'))
    await ask([question], model)
    const [seen] = model.requests
    const sentBody = JSON.stringify(seen?.body)
    // protocol: a header and the field that it switches on belong together: both, or none of them.
    const isOwn = kind === 'anthropic'
    for (const name of [
      'anthropic-beta',
      'anthropic-version',
      'x-claude-code-session-id',
      'x-app',
      'x-stainless-lang',
    ])
      expect([name, seen?.headers[name] !== undefined]).toEqual([name, isOwn])
    for (const field of [
      'context_management',
      'cache_control',
      'web_search_20250305',
      '"adaptive"',
    ])
      expect([field, sentBody.includes(field)]).toEqual([field, isOwn])
    expect(sentBody).toContain('You are Claude Code')
    if (!isOwn) expect(await stage.notes()).toContain('context_management')
  })
})

describe('refusals, retries and silence', () => {
  const failure = (work: Promise<unknown>) =>
    work.then(
      () => {
        throw new Error('it was answered')
      },
      error => error as InstanceType<typeof Anthropic.APIError>,
    )
  const json = { 'content-type': 'application/json' }

  it('the vendor’s own words about the request arrive unchanged', async () => {
    // protocol: error bodies are returned unmodified; the client reads from them that the prompt is too long.
    const model = await stage.model('anthropic')
    const body =
      '{"type":"error","error":{"type":"invalid_request_error","message":"prompt is too long: 215000 tokens > 200000 maximum"},"request_id":"req_011CSHoEeqs5C35K2UUqR7Fy"}'
    model.next({ status: 400, headers: json, say: [body] })
    const amounts = await stage.charged(async () => {
      const error = await failure(ask([question], model))
      expect(error).toMatchObject({ status: 400, error: JSON.parse(body) })
    })
    expect(amounts).toEqual([])
  })

  it.each([
    [
      'openai-chat',
      '{"error":{"message":"This model\'s maximum context length is 128000 tokens.","type":"invalid_request_error","param":"messages","code":"context_length_exceeded"}}',
    ],
    [
      'gemini',
      '{"error":{"code":400,"message":"The input token count (1200000) exceeds the maximum number of tokens allowed (1048576).","status":"INVALID_ARGUMENT"}}',
    ],
  ] as const)(
    'a prompt that is too long for %s is told in the words that make it compact',
    async (kind, body) => {
      const model = await stage.model(kind)
      model.next({ status: 400, headers: json, say: [body] })
      const error = await failure(ask([question], model))
      expect(error).toMatchObject({ status: 400, type: 'invalid_request_error' })
      expect(error.message).toMatch(/prompt is too long/)
    },
  )

  it.each([
    [
      529,
      '{"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}}',
      529,
      'overloaded_error',
    ],
    [
      429,
      '{"type":"error","error":{"type":"rate_limit_error","message":"Too fast"}}',
      529,
      'overloaded_error',
    ],
    [500, '{"type":"error","error":{"type":"api_error","message":"Oops"}}', 502, 'api_error'],
  ])(
    'after a %i it asks again, as late as it was told, and is answered',
    async (status, body, shown, type) => {
      // anthropics/claude-code#75184: 10 attempts on 429, 5xx and 529; the client honours retry-after.
      const model = await stage.model('anthropic')
      model.next(
        { status, headers: { ...json, 'retry-after': '1' }, say: [body] },
        answers('anthropic', 'Here I am at last.'),
      )
      const error = await failure(ask([question], model))
      expect(error).toMatchObject({ status: shown, type })
      expect(error.headers?.get('x-should-retry')).not.toBe('false')
      expect(error.requestID).toMatch(/^\d+$/)
      const amounts = await stage.charged(async () => {
        const patient = new Anthropic({
          authToken: stage.person.key,
          apiKey: null,
          baseURL: stage.url,
          maxRetries: 10,
        })
        const stream = await patient.beta.messages.create(request(model.model, [question]))
        for await (const _ of stream);
      })
      expect(amounts).toHaveLength(1)
    },
  )

  it('a spent balance is final', async () => {
    // spec: `billing_error` with x-should-retry: false, which the official client obeys.
    const poor = await stage.hub.admin.addPerson(0)
    const model = await stage.model('anthropic')
    const patient = new Anthropic({
      authToken: poor.key,
      apiKey: null,
      baseURL: stage.url,
      maxRetries: 5,
    })
    const error = await failure(patient.beta.messages.create(request(model.model, [question])))
    expect(error).toMatchObject({ status: 402, type: 'billing_error' })
    expect(error.headers?.get('x-should-retry')).toBe('false')
    expect(model.requests).toEqual([])
  })

  it('an overload inside the stream is reported as one', async () => {
    // https://platform.claude.com/docs/en/build-with-claude/streaming#error-events
    const model = await stage.model('anthropic')
    const { say } = answers('anthropic', 'It begins well and')
    const overload =
      'event: error\ndata: {"type": "error", "error": {"type": "overloaded_error", "message": "Overloaded"}}\n\n'
    model.next({ say: [...say.slice(0, 3), overload] })
    const error = await failure(ask([question], model))
    expect(error.message).toContain('overloaded_error')
  })

  it.each(['anthropic', 'openai-chat'] as const)(
    'while %s thinks in silence pings come in time, one after another',
    retryTiming,
    async kind => {
      // protocol: the client gives a stream up after 300 s without a byte. The limits run on a clock that never jumps
      // (`app.monotonic`), which CLOCK_OFFSET_FILE does not move: so the pings' own interval is made short instead.
      await stage.hub.admin.setOption('PingSeconds', '1')
      try {
        const model = await stage.model(kind)
        const { say } = answers(kind, 'It took me a while.')
        model.next({ say: [...say.slice(0, 2), 1_600, ...say.slice(2)] })
        const response = await fetch(`${stage.url}/v1/messages?beta=true`, {
          method: 'POST',
          headers: { 'x-api-key': stage.person.key, 'content-type': 'application/json' },
          body: JSON.stringify({
            model: model.model,
            max_tokens: 9,
            stream: true,
            messages: [question],
          }),
        })
        let last = performance.now()
        let longest = 0
        const seen: string[] = []
        for await (const { event, at } of eventsOf(response)) {
          longest = Math.max(longest, at - last)
          last = at
          seen.push(event)
        }
        expect(seen.filter(each => each === 'ping').length).toBeGreaterThanOrEqual(1)
        expect(longest).toBeLessThan(1_500)
        expect(seen.at(-1)).toBe('message_stop')
      } finally {
        await stage.hub.admin.setOption('PingSeconds', '15')
      }
    },
  )
})
