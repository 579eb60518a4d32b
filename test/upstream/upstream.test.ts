import { afterAll, beforeAll, expect, it } from 'vitest'
import { startUpstream, type Upstream } from './start.ts'

let upstream: Upstream
beforeAll(async () => {
  upstream = await startUpstream()
})
afterAll(() => upstream.close())

type Answer = {
  usage: unknown
  choices: { message: { tool_calls: { function: { name: string } }[] } }[]
}
const readAnswer = async (response: Response) => (await response.json()) as Answer

const ask = (model: string, more: object = {}) =>
  fetch(`${upstream.url}/a/v1/chat/completions`, {
    method: 'POST',
    body: JSON.stringify({ model, user: 'me', messages: [], ...more }),
  })

it('reports the tokens that the model name asks for, and counts them', async () => {
  const answer = await readAnswer(await ask('any:in=7;out=3'))
  expect(answer.usage).toEqual({ prompt_tokens: 7, completion_tokens: 3, total_tokens: 10 })
  expect(upstream.served.at(-1)).toMatchObject({
    channel: 'a',
    mark: 'me',
    pieces: 3,
    complete: true,
  })
})

it('streams pieces, and reports usage only on request', async () => {
  const quiet = await (await ask('any:out=4', { stream: true })).text()
  expect(quiet.match(/"content":"t\d/g)).toHaveLength(4)
  expect(quiet).not.toContain('"usage"')
  const readAnswer = await (
    await ask('any:out=4', { stream: true, stream_options: { include_usage: true } })
  ).text()
  expect(readAnswer).toContain('"completion_tokens":4')
})

it('breaks off, refuses and stalls as scripted', async () => {
  await expect(ask('any:reset=before')).rejects.toThrow()
  const torn = await ask('any:reset=2', { stream: true })
  await expect(torn.text()).rejects.toThrow()
  const refused = await ask('any:status=429;retry-after=3')
  expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '3'])
  const half = await (await ask('any:fin=2', { stream: true })).text()
  expect(half).not.toContain('[DONE]')
})

it('adds a script to one channel and takes it away again', async () => {
  upstream.behave('a', 'status=503')
  expect((await ask('any')).status).toBe(503)
  upstream.behave('a', '')
  expect((await ask('any')).status).toBe(200)
})

it('plays what is recorded', async () => {
  const answer = await readAnswer(await ask('any:tools'))
  expect(answer.choices[0]?.message.tool_calls[0]?.function.name).toBe('get_current_weather')
  const stream = await (await ask('any:play=chat', { stream: true })).text()
  expect(stream).toContain('世界')
  expect(stream).not.toContain('"usage"')
})

const functions = [{ type: 'function', function: { name: 'f' } }]

it.each([
  ['gpt-5.3', { tools: functions, reasoning_effort: 'high' }, 200],
  ['gpt-5.4', { tools: functions }, 200],
  ['gpt-5.4', { tools: functions, reasoning_effort: 'low' }, 400],
  ['gpt-5.4-mini', { tools: functions, reasoning_effort: 'none' }, 200],
  ['gpt-5.4', { reasoning_effort: 'high' }, 200],
  ['gpt-5.6-sol', { tools: functions }, 400],
  ['gpt-6', { tools: functions }, 400],
  ['gpt-6.1-sol', { tools: functions, reasoning_effort: 'none' }, 200],
  ['gpt-35-turbo', { tools: functions }, 200],
])(
  '%s refuses function tools with reasoning in chat completions: %j',
  async (model, more, status) => {
    const response = await ask(model, more)
    expect(response.status).toBe(status)
    if (status === 400)
      expect(await response.text()).toMatch(
        /Function tools with reasoning_effort .*\/v1\/responses/,
      )
  },
)

it.each([
  ['gpt-5.6-sol', { temperature: 1 }, /'temperature' is not supported/],
  ['gpt-5.4', { top_p: 0.9, reasoning: { effort: 'low' } }, /'top_p' is not supported/],
  ['gpt-5.4', { temperature: 1 }, undefined],
  ['gpt-5.6-sol', { temperature: 1, reasoning: { effort: 'none' } }, undefined],
  ['gpt-5.6-sol', { max_output_tokens: 1 }, /Expected a value >= 16/],
])('%s in Responses refuses what the vendor refuses: %j', async (model, more, refusal) => {
  const response = await fetch(`${upstream.url}/a/v1/responses`, {
    method: 'POST',
    body: JSON.stringify({ model, input: 'x', ...more }),
  })
  expect(response.status).toBe(refusal ? 400 : 200)
  if (refusal) expect(await response.text()).toMatch(refusal)
})
