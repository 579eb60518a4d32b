import { beforeAll, expect, it } from 'vitest'
import { answerJson, useRelayHub } from './relay-hub.ts'

const hub = useRelayHub()
const completion = {
  ...{ id: 'chatcmpl-1', object: 'chat.completion', created: 1 },
  choices: [{ index: 0, message: { role: 'assistant', content: 'hi' }, finish_reason: 'stop' }],
  usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 },
}
let seconds = 0

beforeAll(() => {
  const { app } = hub.app
  const begin = app.monotonic()
  app.monotonic = () => begin + seconds * 1_000
})

const callsPerSecond = 10
const outageSeconds = 60

const setCooldown = (seconds: number) =>
  hub.app.root.put('/api/option/', { key: 'RetryCooldownSeconds', value: String(seconds) })

const addChannels = async (model: string, names: readonly string[]) => {
  for (const name of names)
    await hub.addChannel(1, model, { name, base_url: `${hub.upstream.url}/${name}` })
}

/** A virtual model whose candidates have two channels each, in tiers. */
const addVirtual = async (name: string, models: readonly string[]) => {
  for (const model of models) await addChannels(model, [`${model}-a`, `${model}-b`])
  const candidates = models.map((model, at) => ({ model, tier: at + 1 }))
  const made = await hub.app.root.post('/api/virtual_model/', { name, candidates })
  expect(made.status, made.text).toBe(200)
}

/** The shares of a second's calls that were answered. */
const playSecond = async (model: string, key = hub.key): Promise<number> => {
  seconds += 1
  const calls = Array.from({ length: callsPerSecond }, async () => {
    const body = { model, messages: [{ role: 'user', content: 'hi' }] }
    const response = await hub.post('/v1/chat/completions', body, {
      authorization: `Bearer ${key}`,
    })
    await response.arrayBuffer()
    return response.status
  })
  const statuses = await Promise.all(calls)
  return statuses.filter(each => each === 200).length / callsPerSecond
}

/** Lets all of these models fail for a minute, and then answer again. */
const playOutage = async (model: string, played: readonly string[], key = hub.key) => {
  let isDown = true
  for (const each of played)
    hub.upstream.play(each, turn =>
      isDown ? answerJson(turn, { error: { message: 'down' } }, 503) : answerJson(turn, completion),
    )
  hub.upstream.forget()
  for (let n = 0; n < outageSeconds; n++) expect(await playSecond(model, key)).toBe(0)
  const attempts = hub.upstream.served.length
  expect(attempts).toBeGreaterThanOrEqual(outageSeconds * callsPerSecond)
  expect(attempts).toBeLessThanOrEqual(1.2 * outageSeconds * callsPerSecond)
  isDown = false
  const shares: number[] = []
  for (let n = 0; n < 10; n++) shares.push(await playSecond(model, key))
  expect(shares.at(-1)).toBeGreaterThanOrEqual(0.95)
  expect(shares.reduce((sum, each) => sum + each, 0) / shares.length).toBeGreaterThanOrEqual(0.95)
  const calls = (outageSeconds + 10) * callsPerSecond
  expect(hub.upstream.served.length).toBeLessThanOrEqual(1.2 * calls)
}

it.each([0, 5])(
  'R18 everything is down for a minute and back: at most 1.2 attempts per call, and nearly all calls are answered within 10 seconds, with a cooldown of %i seconds',
  async cooldown => {
    await setCooldown(cooldown)
    const model = `down-${cooldown}`
    await addChannels(model, ['a', 'b', 'c', 'd'])
    await playOutage(model, [model])
  },
)

it.each([0, 5])(
  'R18 every candidate of a virtual model is down for a minute and back: at most 1.2 attempts per call, with a cooldown of %i seconds',
  async cooldown => {
    await setCooldown(cooldown)
    const models = ['x', 'y', 'z'].map(each => `${each}-${cooldown}`)
    await addVirtual(`all-down-${cooldown}`, models)
    await playOutage(`all-down-${cooldown}`, models)
  },
)

it('R18 the channels of a token and those of its backup group are down: at most 1.2 attempts per call', async () => {
  await setCooldown(0)
  const { root, person } = hub.app
  await root.post('/api/user_group/', { symbol: 'extra', name: 'E', ratio: 1, public: true })
  await addChannels('both-down', ['own-a', 'own-b'])
  await hub.addChannel(1, 'both-down', { group: 'extra', base_url: `${hub.upstream.url}/backup` })
  const user = await person(1, { quota: 100_000_000 })
  const made = await user.post('/api/token/', { name: 't', backup_group: 'extra' })
  await playOutage('both-down', ['both-down'], made.body.data.key)
})

it.each([0, 5])(
  'a virtual model whose first candidate is down answers every call by the second, with a cooldown of %i seconds',
  async cooldown => {
    await setCooldown(cooldown)
    const [down, healthy] = [`down-first-${cooldown}`, `healthy-${cooldown}`]
    await addVirtual(`half-down-${cooldown}`, [down, healthy])
    hub.upstream.play(down, turn => answerJson(turn, { error: { message: 'down' } }, 503))
    hub.upstream.play(healthy, turn => answerJson(turn, completion))
    for (let n = 0; n < 20; n++) expect(await playSecond(`half-down-${cooldown}`)).toBe(1)
  },
)
