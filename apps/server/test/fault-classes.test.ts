import { beforeAll, beforeEach, expect, it } from 'vitest'
import type { Turn } from '../../../test/upstream/turn.ts'
import type { Channel } from '../src/relay/channels/channel.ts'
import { channelIndex } from '../src/relay/routing/channel-index.ts'
import { keyCooldownEnd } from '../src/relay/routing/cooldown.ts'
import { answerJson, type Json, useRelayHub } from './relay-hub.ts'

const hub = useRelayHub()

type Play = (turn: Turn) => void
/** The vendor of the channel `faulty`; the others always answer. */
let fault: Play
/** Every test has models of its own. */
let models: { called: string; other: string }
let tests = 0

const refusal =
  (status: number, code: string): Play =>
  turn =>
    answerJson(turn, { error: { message: 'refused', type: 'error', code } }, status)

const completion = {
  ...{ id: 'chatcmpl-1', object: 'chat.completion', created: 1 },
  choices: [{ index: 0, message: { role: 'assistant', content: 'hi' }, finish_reason: 'stop' }],
  usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 },
}

const setOption = (key: string, value: unknown) =>
  hub.app.root.put('/api/option/', { key, value: String(value) })

beforeAll(async () => {
  await setOption('RetryCooldownSeconds', 600)
  await setOption('AutomaticDisableChannelEnabled', true)
})

beforeEach(async () => {
  tests += 1
  models = { called: `called-${tests}`, other: `other-${tests}` }
  const list = Object.values(models).join()
  const add = (name: string, fields: object) =>
    hub.addChannel(1, list, { name, base_url: `${hub.upstream.url}/${name}`, ...fields })
  await add('faulty', { priority: 9, key: 'sk-one\nsk-two', key_mode: 'one_channel' })
  await add('sound', {})
  for (const model of Object.values(models))
    hub.upstream.play(model, turn => {
      if (turn.served.channel === 'faulty' && model === models.called) return fault(turn)
      answerJson(turn, completion)
    })
  hub.upstream.forget()
})

const call = async (model: string, more: object = {}) => {
  const body = { model, messages: [{ role: 'user', content: 'hi' }], ...more }
  const response = await hub.post('/v1/chat/completions', body)
  await response.arrayBuffer()
  return response.status
}

const channelsOfTest = async (): Promise<{ faulty: Channel; sound: Channel }> => {
  const index = await channelIndex(hub.app.app).get()
  const all = [...index.byId.values()].filter(each => each.models.includes(models.called))
  const named = (name: string) => all.find(each => each.name === name)!
  return { faulty: named('faulty'), sound: named('sound') }
}

/** Everything that a fault may change: what cools down, and what was disabled. */
const state = async () => {
  const { faulty, sound } = await channelsOfTest()
  const cooling: string[] = []
  for (const channel of [faulty, sound])
    for (const key of channel?.keys ?? [])
      for (const [name, model] of Object.entries(models))
        for (const operation of ['chat', 'embeddings'])
          if (keyCooldownEnd(hub.app.app)(key, { model, operation }) > 0)
            cooling.push(`${channel!.name} ${key.credential} ${name} ${operation}`)
  const rows = await hub.app.root.get('/api/channel/?size=100')
  const own = rows.body.data.data.filter((each: Json) => each.models.includes(models.called))
  const changes: Json[] = []
  for (const { id } of own)
    changes.push(...(await hub.app.root.get(`/api/channel/${id}/changes`)).body.data)
  return {
    cooling,
    statuses: own.map((each: Json) => each.status),
    disabledKeys: own.reduce((sum: number, each: Json) => sum + each.disabled_key_count, 0),
    changes: changes.length,
  }
}

const untouched = { cooling: [], statuses: [1, 1], disabledKeys: 0, changes: 0 }
const callMany = async (more: object = {}) => {
  const statuses = new Set<number>()
  for (let n = 0; n < 8; n++) statuses.add(await call(models.called, more))
  return [...statuses]
}

it.each([400, 404, 413, 422])(
  'the caller’s faults change nothing: a vendor that answers %i',
  async status => {
    fault = refusal(status, 'invalid_value')
    await callMany()
    expect(await state()).toEqual(untouched)
  },
)

it('the gateway’s own faults change nothing: a model without a price, an empty account', async () => {
  fault = turn => answerJson(turn, completion)
  await hub.app.root.delete(`/api/prices/single/${models.called}`)
  const unpriced = await callMany()
  expect(unpriced).not.toContain(200)
  expect(await state()).toEqual(untouched)
  const poor = await hub.app.person(1)
  const { key } = (await poor.post('/api/token/', { name: 't' })).body.data
  const headers = { authorization: `Bearer ${key}` }
  const body = { model: models.other, messages: [{ role: 'user', content: 'hi' }] }
  for (let n = 0; n < 8; n++)
    expect((await hub.post('/v1/chat/completions', body, headers)).status).toBe(429)
  expect(hub.upstream.served).toEqual([])
  expect(await state()).toEqual(untouched)
})

it('a fault of a key leaves out this key for every model and operation, and nothing else', async () => {
  await setOption('AutomaticDisableChannelEnabled', false)
  fault = turn =>
    turn.served.credential.includes('sk-one')
      ? refusal(401, 'invalid_api_key')(turn)
      : answerJson(turn, completion)
  expect(await callMany()).toEqual([200])
  const all = ['called', 'other'].flatMap(model =>
    ['chat', 'embeddings'].map(operation => `faulty sk-one ${model} ${operation}`),
  )
  expect(await state()).toEqual({ ...untouched, cooling: all })
  await setOption('AutomaticDisableChannelEnabled', true)
})

it('a fault of a key that the gateway may disable disables this key, and nothing else', async () => {
  fault = turn =>
    turn.served.credential.includes('sk-one')
      ? refusal(401, 'invalid_api_key')(turn)
      : answerJson(turn, completion)
  expect(await callMany()).toEqual([200])
  await expect.poll(state).toEqual({ ...untouched, disabledKeys: 1, changes: 1 })
})

/** The keys of the faulty channel cool down for the called model and operation. */
const coolingModel = ['faulty sk-one called chat', 'faulty sk-two called chat']

it.each([429, 500, 503, 529])(
  'a fault of a model cools it down for its operation, and nothing else: %i',
  async status => {
    fault = refusal(status, 'overloaded')
    expect(await callMany()).toEqual([200])
    expect(await state()).toEqual({ ...untouched, cooling: coolingModel })
    hub.upstream.forget()
    expect(await call(models.other)).toBe(200)
    expect(hub.upstream.served.map(each => each.channel)).toEqual(['faulty'])
  },
)

it.each([
  ['a reset', ({ request }: Turn) => request.socket.resetAndDestroy()],
  [
    'a broken answer',
    ({ response }: Turn) => void response.writeHead(200).write('{', () => response.destroy()),
  ],
])(
  'a fault of the network cools the model down for its operation, and nothing else: %s',
  async (_, broken) => {
    fault = broken
    expect(await callMany()).toEqual([200])
    const { cooling, ...rest } = await state()
    expect({ ...rest, cooling: [] }).toEqual(untouched)
    expect(cooling.length).toBeGreaterThan(0)
    expect(coolingModel).toEqual(expect.arrayContaining(cooling))
  },
)
