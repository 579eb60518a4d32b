import { beforeAll, expect, it } from 'vitest'
import { lastCharge } from './relay-calls.ts'
import { answerJson, answerStream, useRelayHub } from './relay-hub.ts'

// Images that a model makes with the tool of Responses: https://developers.openai.com/api/docs/guides/tools-image-generation

const hub = useRelayHub()
/** The second is served by Responses only, so that callers of chat are translated. */
const models = ['gpt-4.1-paints', 'gpt-5-codex-paints']
const paths = ['/v1/responses', '/v1/chat/completions'] as const
const usage = { input_tokens: 3, output_tokens: 4, total_tokens: 7 }
/** Points at 500,000 for a dollar. */
const prices = { 'high-1024x1024': 83_500, 'low-1536x1024': 8_000, mostExpensive: 125_000 }

const imageOf = (at: number, fields: object) => ({
  ...{ type: 'image_generation_call', id: `ig_${at}`, status: 'completed', result: 'AAAA' },
  ...fields,
})
const high = { quality: 'high', size: '1024x1024' }
const output = [high, high, { quality: 'low', size: '1536x1024' }, {}].map((each, at) =>
  imageOf(at, each),
)
const tools = {
  'image_generation:high-1024x1024': 2,
  'image_generation:low-1536x1024': 1,
  image_generation: 1,
}
const response = { id: 'resp_1', object: 'response', created_at: 1, model: 'm' }
const completed = { ...response, status: 'completed', output, usage }

beforeAll(async () => {
  for (const model of models) {
    await hub.addChannel(1, model)
    hub.upstream.play(model, turn => {
      const { stream } = JSON.parse(String(turn.served.body))
      if (!stream) return answerJson(turn, completed)
      const items = output.flatMap((item, output_index) => [
        { type: 'response.output_item.added', output_index, item: { ...item, result: null } },
        { type: 'response.output_item.done', output_index, item },
      ])
      const begun = { ...response, status: 'in_progress', output: [] }
      answerStream(turn, [
        { type: 'response.created', response: begun },
        ...items,
        { type: 'response.completed', response: completed },
      ])
    })
  }
})

const cases = [
  [models[0]!, paths[0], false],
  [models[0]!, paths[0], true],
  [models[1]!, paths[1], false],
  [models[1]!, paths[1], true],
] as const

it.each(cases)('%s at %s pays each image by its quality and size, streamed: %s', async (...of) => {
  const [model, path, stream] = of
  const tool = { type: 'image_generation', ...high }
  const fields =
    path === '/v1/responses'
      ? { input: 'paint', store: false, tools: [tool] }
      : { messages: [{ role: 'user', content: 'paint' }] }
  const answer = await hub.post(path, { model, stream, ...fields })
  expect([answer.status, (await answer.text()).includes('AAAA')]).toEqual([200, true])
  const images = 2 * prices['high-1024x1024'] + prices['low-1536x1024'] + prices.mostExpensive
  expect(await lastCharge(hub)).toMatchObject({
    amount: images + usage.input_tokens + usage.output_tokens,
    usage: { input: 3, output: 4, tools },
  })
})
