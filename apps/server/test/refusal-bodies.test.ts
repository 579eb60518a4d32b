import { beforeAll, expect, it } from 'vitest'
import { answerJson, useRelayHub } from './relay-hub.ts'

const hub = useRelayHub()
const [whole, endless, stalled] = ['whole-refusal', 'endless-refusal', 'stalled-refusal']
beforeAll(() => hub.addChannel(1, [whole, endless, stalled].join(',')))

const ask = (model: string) =>
  hub.post('/v1/chat/completions', { model, messages: [{ role: 'user', content: 'hi' }] })

const refusal = (bytes: number) => ({
  error: { type: 'invalid_request_error', message: `not allowed: ${'x'.repeat(bytes)}` },
})

it('a refusal of 3 MB arrives whole', async () => {
  const body = refusal(3_000_000)
  hub.upstream.play(whole, turn => answerJson(turn, body, 400))
  const response = await ask(whole)
  expect(response.status).toBe(400)
  expect(await response.json()).toEqual(body)
})

it('a refusal that is too long to be passed on is told in valid JSON', async () => {
  hub.upstream.play(endless, turn => answerJson(turn, refusal(5_000_000), 400))
  const response = await ask(endless)
  expect(response.status).toBe(400)
  expect(await response.json()).toMatchObject({ error: { message: expect.any(String) } })
})

it('a refusal whose body stalls is classified by its status, and the caller does not wait for it', async () => {
  let isEnded = false
  hub.upstream.play(stalled, ({ response }) => {
    response.writeHead(429, { 'content-type': 'application/json' })
    response.write('{"error":')
    const end = setTimeout(() => {
      isEnded = true
      response.end('{}}')
    }, 15_000)
    response.once('close', () => clearTimeout(end))
  })
  const response = await ask(stalled)
  expect(response.status).toBe(429)
  expect(isEnded).toBe(false)
  expect(await response.json()).toMatchObject({ error: { message: expect.any(String) } })
})
