import { beforeAll, expect, it } from 'vitest'
import { answerJson, answerStream, type Json, useRelayHub } from '../../test/relay-hub.ts'

const hub = useRelayHub()

const whole = {
  ...{ id: 'chatcmpl-1', object: 'chat.completion', model: 'm' },
  choices: [
    { index: 0, message: { role: 'assistant', content: 'Hello there' }, finish_reason: 'stop' },
  ],
  usage: { prompt_tokens: 5, completion_tokens: 2, total_tokens: 7 },
}
const frames = [
  {
    ...{ id: 'chatcmpl-1', object: 'chat.completion.chunk', model: 'm' },
    choices: [{ index: 0, delta: { content: 'Hello there' }, finish_reason: 'stop' }],
    usage: whole.usage,
  },
]

/** A vendor that is silent until the caller has seen a ping. */
const silentVendor = () => {
  let wake = () => {}
  const woken = new Promise<void>(resolve => {
    wake = resolve
  })
  return { woken, wake: () => wake() }
}

beforeAll(async () => {
  const body = { key: 'PingSeconds', value: '1' }
  expect((await hub.app.root.put('/api/option/', body)).status).toBe(200)
  await hub.addChannel(8, 'slow,slow-whole,slow-refusal')
})

/** Reads a stream; calls `onPing` at the first ping before any other byte. */
const readPinged = async (response: Response, onPing: () => void) => {
  let text = ''
  for await (const chunk of response.body!.pipeThrough(new TextDecoderStream())) {
    text += chunk
    onPing()
  }
  return text
}

const callers = [
  [
    '/v1/chat/completions',
    (model: string) => ({ model, messages: [{ role: 'user', content: 'Hi' }] }),
  ],
  [
    '/v1/messages',
    (model: string) => ({ model, max_tokens: 9, messages: [{ role: 'user', content: 'Hi' }] }),
  ],
  ['/v1/responses', (model: string) => ({ model, store: false, input: 'Hi' })],
] as const

it.each(callers)('a caller of %s is pinged until the vendor answers', async (path, body) => {
  const vendor = silentVendor()
  hub.upstream.play('slow', async turn => {
    await vendor.woken
    answerStream(turn, frames)
  })
  const response = await hub.post(path, { ...body('slow'), stream: true })
  expect(response.headers.get('content-type')).toMatch(/^text\/event-stream/)
  const text = await readPinged(response, vendor.wake)
  expect(text).toMatch(/^(: ping|event: ping)/)
  expect(text).toContain('Hello there')
})

it('another channel may be tried after a ping', async () => {
  const vendor = silentVendor()
  await hub.addChannel(8, 'retried', { name: 'first', priority: 2 })
  await hub.addChannel(8, 'retried', { name: 'second', priority: 1 })
  let requests = 0
  hub.upstream.play('retried', async turn => {
    requests += 1
    if (requests > 1) return answerStream(turn, frames)
    await vendor.woken
    answerJson(turn, { error: { message: 'Broken' } }, 500)
  })
  const [path, body] = callers[0]
  const response = await hub.post(path, { ...body('retried'), stream: true })
  const text = await readPinged(response, vendor.wake)
  expect([requests, text]).toEqual([2, expect.stringContaining('Hello there')])
})

it('a vendor that refuses after a ping is an error event, and the stream ends', async () => {
  for (const [path, body] of callers) {
    const vendor = silentVendor()
    hub.upstream.play('slow-refusal', async turn => {
      await vendor.woken
      answerJson(turn, { error: { message: 'No such thing', type: 'invalid_request_error' } }, 400)
    })
    const response = await hub.post(path, { ...body('slow-refusal'), stream: true })
    const text = await readPinged(response, vendor.wake)
    expect([response.status, text]).toEqual([200, expect.stringMatching(/"error".*No such thing/)])
  }
})

it('a vendor that answers whole after a ping becomes a stream', async () => {
  const vendor = silentVendor()
  hub.upstream.play('slow-whole', async turn => {
    await vendor.woken
    answerJson(turn, whole)
  })
  const [path, body] = callers[0]
  const response = await hub.post(path, { ...body('slow-whole'), stream: true })
  const text = await readPinged(response, vendor.wake)
  expect(text).toContain('Hello there')
  expect(text.endsWith('data: [DONE]\n\n')).toBe(true)
})

/** The key of a token that is pinged after one second, which is less than a form accepts. */
const keyWithHeartbeat = async () => {
  const setting = { heartbeat: { enabled: true, timeout_seconds: 30 } }
  const { data } = (await hub.app.root.post('/api/token/', { name: 'pinged', setting })).body
  const seconds = JSON.stringify({ heartbeat: { enabled: true, timeout_seconds: 1 } })
  await hub.app.app.db
    .updateTable('tokens')
    .set({ setting: seconds })
    .where('id', '=', data.id)
    .execute()
  return data.key as string
}

it.each(callers)(
  'a whole answer of %s is preceded by line ends, if its token has a heartbeat',
  async (path, body) => {
    const vendor = silentVendor()
    hub.upstream.play('slow-whole', async turn => {
      await vendor.woken
      answerJson(turn, whole)
    })
    const authorization = `Bearer ${await keyWithHeartbeat()}`
    const response = await hub.post(path, body('slow-whole'), { authorization })
    expect(response.headers.get('content-type')).toBe('application/json')
    const text = await readPinged(response, vendor.wake)
    expect(text).toMatch(/^\n+\{/)
    expect(JSON.stringify(JSON.parse(text))).toContain('Hello there')
  },
)

it('a refusal after a line end is the body, and the next call is none the worse', async () => {
  const authorization = `Bearer ${await keyWithHeartbeat()}`
  for (const [path, body] of callers) {
    const vendor = silentVendor()
    hub.upstream.play('slow-refusal', async turn => {
      await vendor.woken
      answerJson(turn, { error: { message: 'No such thing', type: 'invalid_request_error' } }, 400)
    })
    const response = await hub.post(path, body('slow-refusal'), { authorization })
    const text = await readPinged(response, vendor.wake)
    const { error } = JSON.parse(text) as Json
    expect([response.status, error.message]).toEqual([
      200,
      expect.stringContaining('No such thing'),
    ])
    hub.upstream.play('slow-whole', async turn => answerJson(turn, whole))
    const next = await hub.post(path, body('slow-whole'), { authorization })
    expect([next.status, await next.text()]).toEqual([
      200,
      expect.stringMatching(/^\{.*Hello there/),
    ])
  }
})

it('a stream is pinged by the heartbeat of its token where the site pings none', async () => {
  await hub.app.root.put('/api/option/', { key: 'PingSeconds', value: '0' })
  const vendor = silentVendor()
  hub.upstream.play('slow', async turn => {
    await vendor.woken
    answerStream(turn, frames)
  })
  const [path, body] = callers[0]
  const authorization = `Bearer ${await keyWithHeartbeat()}`
  const response = await hub.post(path, { ...body('slow'), stream: true }, { authorization })
  const text = await readPinged(response, vendor.wake)
  expect(text).toMatch(/^: ping\n\n/)
  expect(text).toContain('Hello there')
})

it('a heartbeat begins after 30 to 90 seconds', async () => {
  for (const timeout_seconds of [29, 91, 45.5]) {
    const setting = { heartbeat: { enabled: true, timeout_seconds } }
    const { status, body } = await hub.app.root.post('/api/token/', { name: 'x', setting })
    expect([status, body.message]).toEqual([400, expect.stringContaining('timeout_seconds')])
  }
  const off = { heartbeat: { enabled: false, timeout_seconds: 0 } }
  expect((await hub.app.root.post('/api/token/', { name: 'x', setting: off })).status).toBe(200)
})
