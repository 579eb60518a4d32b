import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { CheckEvent, CheckResult } from '@hub/contract'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { keepAlive } from '../../../../../test/harness/addresses/keep-alive.ts'
import { onBothEnginesInLongRuns, type TestApp, type TestUser } from '../../../test/harness.ts'
import { checkChannel } from '../../channel-tests/index.ts'

type Body = { model: string; stream?: boolean; [key: string]: unknown }

/** A vendor whose model `able` has every feature, `plain` only answers, and `none` is refused. */
let vendor: Server
let url = ''
const received: Body[] = []

const answer = (message: object, more: object = {}) => ({
  id: 'c',
  model: 'm',
  choices: [
    { index: 0, message: { role: 'assistant', content: 'hi', ...message }, finish_reason: 'stop' },
  ],
  usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2, ...more },
})
const call = { id: 'c1', type: 'function', function: { name: 'get_time', arguments: '{}' } }

const ableAnswer = (body: Body): object => {
  if (body.tools) return answer({ content: null, tool_calls: [call] })
  if (body.response_format) return answer({ content: '{"sum": 5}' })
  if (body.reasoning_effort)
    return answer({}, { completion_tokens: 9, completion_tokens_details: { reasoning_tokens: 7 } })
  return answer({ content: JSON.stringify(body).includes('image_url') ? 'Red.' : 'hi' })
}

const streamed = `data: ${JSON.stringify({
  id: 'c',
  choices: [{ index: 0, delta: { role: 'assistant', content: 'hi' }, finish_reason: 'stop' }],
})}\n\ndata: ${JSON.stringify({ id: 'c', choices: [], usage: answer({}).usage })}\n\ndata: [DONE]\n\n`

beforeAll(async () => {
  vendor = createServer(keepAlive, async (request, response) => {
    let text = ''
    for await (const chunk of request) text += chunk
    const body = JSON.parse(text) as Body
    received.push(body)
    if (body.model === 'none') {
      response.writeHead(400, { 'content-type': 'application/json' })
      response.end('{"error":{"message":"no such model for sk-secret-check"}}')
      return
    }
    const isStream = body.model === 'able' && body.stream === true
    response.writeHead(200, { 'content-type': isStream ? 'text/event-stream' : 'application/json' })
    const whole = body.model === 'able' ? ableAnswer(body) : answer({})
    response.end(isStream ? streamed : JSON.stringify(whole))
  })
  await new Promise<void>(resolve => vendor.listen(0, '127.0.0.1', resolve))
  url = `http://127.0.0.1:${(vendor.address() as AddressInfo).port}`
})
afterAll(() => void vendor.close())

let hub: TestApp
let admin: TestUser
let id = 0

const check = async (body: object) => {
  const { text, headers, status } = await admin.post('/api/sse/channel/check', { id, ...body })
  const events = text
    .split('\n\n')
    .filter(Boolean)
    .map(each => JSON.parse(each.replace('event: message\ndata: ', '')) as CheckEvent)
  const results = events.flatMap(each => (each.type === 'result' ? [each.data] : []))
  return { status, headers, events, results }
}
const shown = (results: CheckResult[]) =>
  results.map(({ model, feature, reason }) => `${model} ${feature} ${reason ?? 'passed'}`)
const last = async () => (await admin.get(`/api/channel/${id}/check`)).body.data

const checkTests = () => {
  it('each feature of each model is tried, and the results come as a stream and are stored', async () => {
    expect(await last()).toEqual({ at: 0, results: [] })
    const { headers, events, results } = await check({ models: 'able, plain' })
    expect(headers['content-type']).toBe('text/event-stream; charset=utf-8')
    expect(shown(results)).toEqual([
      ...['able chat passed', 'able stream passed', 'able tools passed', 'able images passed'],
      ...['able json_schema passed', 'able reasoning passed', 'plain chat passed'],
      ...['plain stream not_streamed', 'plain tools no_tool_call', 'plain images image_not_seen'],
      ...['plain json_schema not_the_schema', 'plain reasoning no_reasoning'],
    ])
    expect(events.at(-1)).toEqual({ type: 'done', data: 'completed' })
    expect(await last()).toEqual({ at: Math.floor(hub.clock.now / 1_000), results })
  })

  it('a refusal has the vendor’s message without the key, and other models than chat are not called', async () => {
    const before = received.length
    const { results } = await check({ models: 'none,text-embedding-3-small', features: ['chat'] })
    expect(shown(results)).toEqual(['none chat refused', 'text-embedding-3-small chat not_chat'])
    expect(results[0]!.detail).toContain('no such model')
    expect(JSON.stringify(results)).not.toContain('sk-secret')
    expect(received.length - before).toBe(1)
    expect((await admin.get(`/api/channel/${id}`)).body.data).toMatchObject({
      status: 1,
      test_time: 0,
    })
  })

  it('nobody is charged, and the audit has the check', async () => {
    await check({ models: 'plain', features: ['chat'] })
    expect((await hub.root.get('/api/log/?log_type=2')).body.data.data).toEqual([])
    const { body } = await hub.root.get('/api/audit/?action=channels.check&size=1')
    expect(body.data.data[0]).toMatchObject({ actor_name: admin.username })
  })

  it('a check that is left keeps the results so far and calls the vendor no more', async () => {
    const before = received.length
    for await (const event of checkChannel(hub.app, id, { models: ['plain', 'able'] }))
      if (event.type === 'result') break
    expect(received.length - before).toBe(1)
    expect(shown((await last()).results)).toEqual(['plain chat passed'])
  })

  it('what cannot be checked is refused', async () => {
    const unknown = await check({ id: 999_999, models: 'm' })
    expect(unknown.events).toMatchObject([{ type: 'error', data: { code: 'resource.missing' } }])
    const invalid = async (body: object) =>
      (await admin.post('/api/sse/channel/check', { id, ...body })).status
    expect(await invalid({ models: '' })).toBe(400)
    expect(await invalid({ models: 'm', features: ['telepathy'] })).toBe(400)
    expect(await invalid({ models: Array.from({ length: 51 }, () => 'm').join() })).toBe(400)
    const person = await hub.person(1)
    expect((await person.post('/api/sse/channel/check', { id, models: 'm' })).status).toBe(403)
    expect((await person.get(`/api/channel/${id}/check`)).status).toBe(403)
  })
}

onBothEnginesInLongRuns('checks of channels', open => {
  beforeAll(async () => {
    hub = await open()
    admin = await hub.person(10)
    const channel = {
      type: 8,
      name: 'c',
      key: 'sk-secret-check',
      models: 'able,plain',
      base_url: url,
    }
    id = (await admin.post('/api/channel/', channel)).body.data[0].id
  })
  checkTests()
})
