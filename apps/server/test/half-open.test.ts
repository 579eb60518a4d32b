import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { until } from '../../../test/harness/runner/until.ts'
import { startUpstream, type Upstream } from '../../../test/upstream/start.ts'
import { openTestApp, type TestApp } from './harness.ts'
import { answerJson, type Json } from './relay-hub.ts'

const token = `sk-${randomBytes(24).toString('hex')}`.slice(0, 46)
const completion = {
  ...{ id: 'chatcmpl-1', object: 'chat.completion', created: 1 },
  choices: [{ index: 0, message: { role: 'assistant', content: 'hi' }, finish_reason: 'stop' }],
  usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 },
}

let hub: TestApp
let upstream: Upstream
/** The vendor of each channel: it refuses with a delay, waits, or answers. */
const vendors = new Map<string, 'busy' | Promise<void>>()

const add = async (name: string, model: string, priority: number) => {
  const channel = { type: 1, name, models: model, priority, key: `sk-${name}` }
  await hub.root.post('/api/channel/', { ...channel, base_url: `${upstream.url}/${name}` })
  await hub.root.post('/api/prices/single', { model, type: 'tokens', input: 1, output: 1 })
  upstream.play(model, async turn => {
    const vendor = vendors.get(turn.served.channel)
    if (vendor === 'busy') {
      turn.response.setHeader('retry-after', '60')
      return answerJson(turn, { error: { message: 'slow down' } }, 429)
    }
    await vendor
    answerJson(turn, completion, 200)
  })
}

const call = async (model: string) =>
  (
    await hub
      .guest({ headers: { authorization: `Bearer ${token}` } })
      .post('/v1/chat/completions', { model, messages: [{ role: 'user', content: 'hi' }] })
  ).status

const askedSince = (n: number) => upstream.served.slice(n).map(each => each.channel)
const passSeconds = (seconds: number) => {
  const { monotonic } = hub.app
  hub.app.monotonic = () => monotonic() + seconds * 1_000
}

beforeAll(async () => {
  upstream = await startUpstream()
  hub = await openTestApp(undefined, {
    MASTER_KEY: randomBytes(32).toString('base64'),
    INITIAL_ROOT_TOKEN: token,
  })
  await hub.root.put('/api/user_group/', { id: 1, api_rate: 1_000_000 })
})
afterAll(async () => {
  await hub?.close(1)
  await upstream?.close()
})

it('after a cooldown one call probes the channel while the others go elsewhere, until it answered', async () => {
  await add('cooled', 'probed', 9)
  await add('healthy', 'probed', 0)
  vendors.set('cooled', 'busy')
  expect(await call('probed')).toBe(200)
  expect(askedSince(0)).toEqual(['cooled', 'healthy'])
  passSeconds(61)
  const { promise, resolve: answer } = Promise.withResolvers<void>()
  vendors.set('cooled', promise)
  const probe = call('probed')
  await until('the probe is under way', async () => askedSince(2).length === 1)
  expect(await Promise.all([call('probed'), call('probed')])).toEqual([200, 200])
  expect(askedSince(2)).toEqual(['cooled', 'healthy', 'healthy'])
  const newest = await hub.root.get('/api/log/?model_name=probed&order=-id&size=1')
  const route = await hub.root.get(`/api/log/${newest.body.data.data[0].id}/route`)
  const passedOver = route.body.data.passed_over as Json[]
  expect(passedOver.map(each => [each.channel, each.reason])).toEqual([['cooled', 'probed']])
  answer()
  expect(await probe).toBe(200)
  expect(await Promise.all([call('probed'), call('probed')])).toEqual([200, 200])
  expect(askedSince(5)).toEqual(['cooled', 'cooled'])
})

it('while a channel without another is probed, other calls ask it too', async () => {
  await add('lone', 'alone', 0)
  vendors.set('lone', 'busy')
  expect(await call('alone')).toBe(429)
  passSeconds(61)
  const { promise, resolve: answer } = Promise.withResolvers<void>()
  vendors.set('lone', promise)
  const before = upstream.served.length
  const calls = [call('alone'), call('alone'), call('alone')]
  await until('all are asked', async () => askedSince(before).length === 3)
  answer()
  expect(await Promise.all(calls)).toEqual([200, 200, 200])
})
