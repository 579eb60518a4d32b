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

/** The shares of a second's calls that were answered. */
const playSecond = async (model: string): Promise<number> => {
  seconds += 1
  const calls = Array.from({ length: callsPerSecond }, async () => {
    const body = { model, messages: [{ role: 'user', content: 'hi' }] }
    const response = await hub.post('/v1/chat/completions', body)
    await response.arrayBuffer()
    return response.status
  })
  const statuses = await Promise.all(calls)
  return statuses.filter(each => each === 200).length / callsPerSecond
}

it.each([0, 5])(
  'R18 everything is down for a minute and back: at most 1.2 attempts per call, and 95 %% are answered within 10 seconds, with a cooldown of %i seconds',
  async cooldown => {
    await hub.app.root.put('/api/option/', { key: 'RetryCooldownSeconds', value: String(cooldown) })
    const model = `down-${cooldown}`
    for (const name of ['a', 'b', 'c', 'd'])
      await hub.addChannel(1, model, { name, base_url: `${hub.upstream.url}/${name}` })
    let isDown = true
    hub.upstream.play(model, turn =>
      isDown ? answerJson(turn, { error: { message: 'down' } }, 503) : answerJson(turn, completion),
    )
    hub.upstream.forget()
    for (let n = 0; n < outageSeconds; n++) expect(await playSecond(model)).toBe(0)
    const attempts = hub.upstream.served.length
    expect(attempts).toBeGreaterThanOrEqual(outageSeconds * callsPerSecond)
    expect(attempts).toBeLessThanOrEqual(1.2 * outageSeconds * callsPerSecond)
    isDown = false
    const shares: number[] = []
    for (let n = 0; n < 10; n++) shares.push(await playSecond(model))
    expect(shares.at(-1)).toBeGreaterThanOrEqual(0.95)
    expect(shares.reduce((sum, each) => sum + each, 0) / shares.length).toBeGreaterThanOrEqual(0.95)
    const calls = (outageSeconds + 10) * callsPerSecond
    expect(hub.upstream.served.length).toBeLessThanOrEqual(1.2 * calls)
  },
)
