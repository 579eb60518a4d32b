import OpenAI, { APIError } from 'openai'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Person } from '../harness/admin.ts'
import { accountOf } from '../harness/ledger.ts'
import { describeOneEngine } from '../harness/runner/describe-engines.ts'
import { until } from '../harness/runner/until.ts'
import { startTestHub, type TestHub } from '../harness/test-hub.ts'

describeOneEngine(engine => {
  let hub: TestHub
  let person: Person
  let client: OpenAI
  beforeAll(async () => {
    hub = await startTestHub(engine)
    person = await hub.admin.addPerson(1_000_000)
    client = new OpenAI({ apiKey: person.key, baseURL: `${hub.gateway.url}/v1`, maxRetries: 0 })
  })
  afterAll(() => hub?.close())
  const messages = [{ role: 'user' as const, content: 'Say hello.' }]
  const failure = async (work: Promise<unknown>): Promise<APIError> => {
    const error = await work.then(
      () => undefined,
      (reason: unknown) => reason,
    )
    expect(error).toBeInstanceOf(APIError)
    return error as APIError
  }

  it('the official client reads a whole answer, its usage and its request id', async () => {
    const { data, response } = await client.chat.completions
      .create({ model: 'any:play=chat', messages })
      .withResponse()
    expect(data.choices[0]?.message.content).toBe('Hello! How can I assist you today?')
    expect(data.usage).toMatchObject({ prompt_tokens: 19, completion_tokens: 10, total_tokens: 29 })
    expect(response.headers.get('x-oneapi-request-id')).toMatch(/^\d+$/)
  })

  it('the official client reads a stream, with usage only when it asked for it', async () => {
    const read = async (options: object) => {
      const stream = await client.chat.completions.create({
        model: 'any:play=chat',
        messages,
        stream: true,
        ...options,
      })
      let text = ''
      let usage: unknown
      for await (const chunk of stream) {
        text += chunk.choices[0]?.delta.content ?? ''
        usage = chunk.usage ?? usage
        if (!('stream_options' in options)) expect(chunk.choices).toHaveLength(1)
      }
      return { text, usage }
    }
    expect(await read({})).toEqual({ text: 'Hello there, 世界 👋!', usage: undefined })
    const withUsage = await read({ stream_options: { include_usage: true } })
    expect(withUsage).toMatchObject({ text: 'Hello there, 世界 👋!', usage: { total_tokens: 29 } })
  })

  it('the official client reads tool calls, whole and streamed', async () => {
    const tools = [
      {
        type: 'function' as const,
        function: { name: 'get_current_weather', parameters: { type: 'object', properties: {} } },
      },
    ]
    const whole = await client.chat.completions.create({ model: 'any:tools', messages, tools })
    expect(whole.choices[0]?.message.tool_calls?.[0]).toMatchObject({
      id: 'call_abc123',
      function: { name: 'get_current_weather' },
    })
    const runner = client.chat.completions.stream({ model: 'any:tools', messages, tools })
    const final = await runner.finalChatCompletion()
    const call = final.choices[0]?.message.tool_calls?.[0]
    expect(call).toMatchObject({
      id: 'call_abc123',
      function: { arguments: '{"location":"Boston, MA"}' },
    })
  })

  it('the official client lists models', async () => {
    const { data } = await client.models.list()
    expect(data.map(each => each.id)).toContain('gpt-4o-mini')
    expect((await client.models.retrieve('gpt-4o-mini')).id).toBe('gpt-4o-mini')
    expect((await failure(client.models.retrieve('no-such-model'))).status).toBe(404)
  })

  it('the official client understands every kind of refusal', async () => {
    const stranger = new OpenAI({
      apiKey: 'sk-nobody',
      baseURL: `${hub.gateway.url}/v1`,
      maxRetries: 0,
    })
    const unknown = await failure(stranger.chat.completions.create({ model: 'any:', messages }))
    expect([unknown.status, unknown.code]).toEqual([401, 'invalid_api_key'])

    const noModel = await failure(
      client.chat.completions.create({ model: 'no-such-model', messages }),
    )
    expect([404, 422]).toContain(noModel.status)
    expect(noModel.message).toContain('request id')

    await hub.admin.setOption('RetryTimes', '0')
    await hub.admin.setOption('RetryCooldownSeconds', '0')
    const busy = await failure(
      client.chat.completions.create({ model: 'any:status=429;retry-after=7', messages }),
    )
    expect([busy.status, busy.code, busy.headers?.get('retry-after')]).toEqual([
      429,
      'rate_limit_exceeded',
      '7',
    ])

    const broken = await failure(
      (async () => {
        const stream = await client.chat.completions.create({
          model: 'any:fin=2',
          messages,
          stream: true,
        })
        for await (const _ of stream);
      })(),
    )
    expect(broken.code).toBe('upstream_broken')
  })

  it('an abort of the official client reaches the vendor, and what came is charged', async () => {
    const stream = await client.chat.completions.create({
      model: 'any:out=5000;every=3',
      messages,
      stream: true,
    })
    let pieces = 0
    for await (const _ of stream) {
      pieces += 1
      if (pieces === 10) stream.controller.abort()
    }
    const served = hub.upstream.served.findLast(each => each.model.includes('5000'))
    await until('the vendor was let go', () => served?.closedAt)
    // It is read on for its usage for 2 s, which are less than 700 pieces.
    expect(served?.pieces).toBeLessThan(1_000)
    await hub.settled()
    const { balance, held } = await accountOf(hub.gateway, person.id)
    expect([balance < 1_000_000, held]).toEqual([true, 0])
    await hub.audit()
  })
})
