import OpenAI from 'openai'
import { beforeAll, expect, it } from 'vitest'
import { lastCharge } from './relay-calls.ts'
import { answerJson, answerStream, receivedBody, useRelayHub } from './relay-hub.ts'

const hub = useRelayHub()
const client = () => new OpenAI({ apiKey: hub.key, baseURL: `${hub.url}/v1`, maxRetries: 0 })
const model = 'gpt-3.5-turbo-instruct'
beforeAll(() => hub.addChannel(1, model))

// https://platform.openai.com/docs/api-reference/completions/object
const usage = { prompt_tokens: 5, completion_tokens: 7, total_tokens: 12 }
const logprobs = { tokens: ['a'], token_logprobs: [-0.5], top_logprobs: [{}], text_offset: [0] }
const completion = {
  id: 'cmpl-1',
  object: 'text_completion' as const,
  created: 1,
  model,
  choices: [{ text: 'a text', index: 0, logprobs, finish_reason: 'length' as const }],
  usage,
}

it('the official client has the whole answer, and every field arrives', async () => {
  hub.upstream.play(model, turn => answerJson(turn, completion))
  const body = { model, prompt: 'a', echo: true, logprobs: 3, best_of: 2, suffix: 'z' }
  expect(await client().completions.create(body)).toEqual(completion)
  expect(receivedBody({ served: hub.upstream.served.at(-1) } as never)).toEqual(body)
  expect(await lastCharge(hub)).toMatchObject({ amount: 12, usage: { input: 5, output: 7 } })
})

it.each([false, true])('a stream has its usage if the caller wants it: %s', async include => {
  const chunk = {
    ...completion,
    usage: null,
    choices: [{ ...completion.choices[0], finish_reason: null }],
  }
  hub.upstream.play(model, turn => {
    expect(receivedBody(turn).stream_options).toEqual({ include_usage: true })
    answerStream(turn, [
      chunk,
      { ...completion, usage: null },
      { ...completion, choices: [], usage },
    ])
  })
  const stream = await client().completions.create({
    model,
    prompt: 'a',
    stream: true,
    ...(include ? { stream_options: { include_usage: true } } : {}),
  })
  const chunks = []
  for await (const each of stream) chunks.push(each)
  expect(chunks.map(each => each.choices[0]?.text)).toEqual(
    include ? ['a text', 'a text', undefined] : ['a text', 'a text'],
  )
  expect(await lastCharge(hub)).toMatchObject({ amount: 12, estimated: false })
})

it('answers of a vendor without usage are counted', async () => {
  const { usage: _, ...silent } = completion
  hub.upstream.play(model, turn => answerJson(turn, silent))
  await client().completions.create({ model, prompt: [[1, 2, 3], [4]] })
  expect(await lastCharge(hub)).toMatchObject({ usage: { input: 4, output: 2 }, estimated: true })
})

it.each([
  ["'prompt'", { prompt: 5 }],
  ["'best_of'", { prompt: 'a', best_of: 0 }],
  ["'echo'", { prompt: 'a', echo: 'yes' }],
  ["'max_tokens'", { prompt: 'a', max_tokens: -1 }],
])('an invalid %s is refused', async (field, body) => {
  const response = await hub.post('/v1/completions', { model, ...body })
  expect([response.status, await response.json()]).toEqual([
    400,
    { error: expect.objectContaining({ message: expect.stringContaining(field) }) },
  ])
})

it('each prompt of a list, and each of the best answers, is reserved', async () => {
  // A balance of 10,000,000 tokens of price 1 is far below 128 x 128 answers of a million tokens.
  const prompt = Array.from({ length: 128 }, () => 'a')
  const response = await hub.post('/v1/completions', {
    model,
    prompt,
    best_of: 128,
    max_tokens: 60_000,
  })
  expect(response.status).toBe(429)
})
