import { beforeAll, expect, it } from 'vitest'
import { answerJson, type Json, useRelayHub } from '../../../test/relay-hub.ts'

const hub = useRelayHub()

const completion = {
  ...{ id: 'chatcmpl-1', object: 'chat.completion', model: 'm' },
  choices: [{ index: 0, message: { role: 'assistant', content: 'hi' }, finish_reason: 'stop' }],
  usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 },
}

/** A channel at an address of its own; `allows` lets the field pass that others refuse. */
const add = (model: string, name: string, { priority, allows }: Channel) =>
  hub.addChannel(1, model, {
    ...{ name, priority, base_url: `${hub.upstream.url}/${name}` },
    ...(allows ? { plugin: { passing: { fields: 'api_base' } } } : {}),
  })

type Channel = { priority: number; allows: boolean }

const ask = async (model: string): Promise<{ status: number; body: Json }> => {
  const messages = [{ role: 'user', content: 'hi' }]
  const response = await hub.post('/v1/chat/completions', { model, messages, api_base: 'x' })
  return { status: response.status, body: await response.json() }
}

beforeAll(() => {
  for (const model of ['failing-first', 'failing-last'])
    hub.upstream.play(model, turn => answerJson(turn, { error: { message: 'down' } }, 500))
  hub.upstream.play('allowed-last', turn => answerJson(turn, completion))
})

it('a channel that allows the field answers although another refuses it', async () => {
  await add('allowed-last', 'no1', { priority: 9, allows: false })
  await add('allowed-last', 'yes1', { priority: 1, allows: true })
  expect((await ask('allowed-last')).status).toBe(200)
})

it.each([
  ['failing-first', { priority: 9, allows: true }, { priority: 1, allows: false }],
  ['failing-last', { priority: 1, allows: true }, { priority: 9, allows: false }],
] as const)(
  'the caller is told of the channel that took the request and failed: %s',
  async (model, called, refusing) => {
    await add(model, `${model}-called`, called)
    await add(model, `${model}-refusing`, refusing)
    const { status, body } = await ask(model)
    expect([status, body.error.code]).toEqual([502, 'upstream_failed'])
  },
)

it('the caller is told of the field where every channel refuses it', async () => {
  await add('refused', 'no2', { priority: 9, allows: false })
  await add('refused', 'no3', { priority: 1, allows: false })
  const { status, body } = await ask('refused')
  expect([status, body.error.code]).toEqual([400, 'request_steering'])
  expect(body.error.message).toContain('api_base')
})
