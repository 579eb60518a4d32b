import { beforeEach, expect, it } from 'vitest'
import type { Play } from '../../../../../test/upstream/start.ts'
import {
  answerJson,
  answerStream,
  framesOf,
  type Json,
  useRelayHub,
} from '../../../test/relay-hub.ts'

// A channel of type 1 whose upstream is a third party with chat completions only.

const hub = useRelayHub()

/** OpenAI's own words for an address that it does not have. */
const invalidUrl = {
  error: {
    message: 'Invalid URL (POST /v1/responses)',
    type: 'invalid_request_error',
    param: null,
    code: null,
  },
}
const noModel = (model: string) => ({
  error: {
    message: `The model \`${model}\` does not exist or you do not have access to it.`,
    type: 'invalid_request_error',
    param: null,
    code: 'model_not_found',
  },
})
const usage = { prompt_tokens: 5, completion_tokens: 2, total_tokens: 7 }

const answerChat: Play = turn => {
  const head = { id: 'chatcmpl-1', model: 'm' }
  if (!turn.stream) {
    const message = { role: 'assistant', content: 'Hello.' }
    const choices = [{ index: 0, message, finish_reason: 'stop' }]
    return answerJson(turn, { ...head, object: 'chat.completion', choices, usage })
  }
  const chunk = (delta: object, finish_reason: string | null) => ({
    ...head,
    object: 'chat.completion.chunk',
    choices: [{ index: 0, delta, finish_reason }],
  })
  answerStream(turn, [
    chunk({ role: 'assistant', content: 'Hello.' }, null),
    chunk({}, 'stop'),
    { ...head, object: 'chat.completion.chunk', choices: [], usage },
  ])
}

type Refusal = { status?: number; body?: object }

/** Refuses `/v1/responses`, and answers chat completions unless these are refused too. */
const chatOnly =
  ({ status = 404, body = invalidUrl }: Refusal = {}, chat: Play = answerChat): Play =>
  turn =>
    turn.served.path.endsWith('/responses') ? answerJson(turn, body, status) : chat(turn)

let made = 0
const addModel = async (play: Play, name = `third-party-${++made}`): Promise<string> => {
  await hub.addChannel(1, name)
  hub.upstream.play(name, play)
  return name
}

const ask = async (model: string, more: object = {}): Promise<[number, Json]> => {
  const response = await hub.post('/v1/responses', { model, input: 'Hi.', store: false, ...more })
  return [response.status, JSON.parse(await response.text())]
}
const paths = () => hub.upstream.served.map(each => each.path.replace(/^\/a/, ''))

beforeEach(() => hub.upstream.forget())

it.each([404, 405])(
  'a Responses call is translated to chat in the same call after %i',
  async status => {
    const model = await addModel(chatOnly({ status }))
    const [answered, body] = await ask(model)
    expect([answered, body.object, body.output[0].content[0].text]).toEqual([
      200,
      'response',
      'Hello.',
    ])
    expect(paths()).toEqual(['/v1/responses', '/v1/chat/completions'])
    expect(hub.upstream.served.map(each => JSON.parse(String(each.body)).model)).toEqual([
      model,
      model,
    ])
  },
)

it('the channel is asked for chat at once from then on, streams too', async () => {
  const model = await addModel(chatOnly())
  await ask(model)
  hub.upstream.forget()
  const response = await hub.post('/v1/responses', { model, input: 'Hi.', stream: true })
  const frames = framesOf(await response.text())
  expect(frames.at(-1)).toMatchObject({ type: 'response.completed' })
  expect(paths()).toEqual(['/v1/chat/completions'])
})

it('an edited channel is asked again, and every channel after an hour', async () => {
  const model = await addModel(chatOnly())
  await ask(model)
  hub.upstream.forget()
  hub.app.clock.now += 3_601_000
  await ask(model)
  expect(paths()).toEqual(['/v1/responses', '/v1/chat/completions'])
  hub.upstream.forget()
  const { body } = await hub.app.root.get(`/api/channel/?name=${model}&size=100`)
  const channel = body.data.data.find((each: Json) => each.models === model)
  await hub.app.root.put('/api/channel/', { id: channel.id, weight: 7 })
  await ask(model)
  expect(paths()).toEqual(['/v1/responses', '/v1/chat/completions'])
})

it('a 404 that names the model is the caller’s answer', async () => {
  const model = `third-party-${++made}`
  await addModel(chatOnly({ body: noModel(model) }), model)
  expect(await ask(model)).toEqual([404, noModel(model)])
  expect(paths()).toEqual(['/v1/responses'])
})

it('an upstream that has neither address is remembered for nothing', async () => {
  const neither: Play = turn => answerJson(turn, invalidUrl, 404)
  const model = await addModel(neither)
  for (let call = 0; call < 2; call++) expect((await ask(model))[0]).toBe(404)
  expect(paths()).toEqual(Array(2).fill(['/v1/responses', '/v1/chat/completions']).flat())
})

it('a background call is not answered as another kind of call', async () => {
  const model = await addModel(chatOnly())
  const [status] = await ask(model, { background: true, store: true })
  expect([status, paths()]).toEqual([404, ['/v1/responses']])
})

it('tools of an Anthropic caller reach the chat of a third party that sells gpt-5.6', async () => {
  const model = await addModel(chatOnly(), 'reseller/gpt-5.6')
  const response = await hub.post('/v1/messages', {
    model,
    max_tokens: 50,
    messages: [{ role: 'user', content: 'Hi.' }],
    tools: [{ name: 'f', input_schema: { type: 'object' } }],
  })
  expect([response.status, paths()]).toEqual([200, ['/v1/responses', '/v1/chat/completions']])
  const sent: Json = JSON.parse(String(hub.upstream.served[1]!.body))
  expect(sent.tools).toMatchObject([{ function: { name: 'f' } }])
})
