import OpenAI from 'openai'
import { beforeAll, beforeEach, expect, it } from 'vitest'
import { lastCharge } from './relay-calls.ts'
import { answerJson, answerStream, framesOf, receivedBody, useRelayHub } from './relay-hub.ts'

const hub = useRelayHub()
const client = () => new OpenAI({ apiKey: hub.key, baseURL: `${hub.url}/v1`, maxRetries: 0 })
const errorOf = (work: Promise<unknown>): Promise<{ status: number; message: string }> =>
  work.then(
    () => {
      throw new Error('it was answered')
    },
    error => error,
  )
const image = { b64_json: 'iVBORw0KGgo=' }

beforeAll(async () => {
  await hub.addChannel(1, 'dall-e-2,dall-e-3,gpt-image-1')
  await hub.addChannel(45, 'Kwai-Kolors/Kolors')
  await hub.addChannel(16, 'cogview-4')
})
beforeEach(() => hub.upstream.forget())

// 1,000 tokens per image times the ratio of its size, as in One Hub: https://platform.openai.com/docs/pricing
it.each([
  ['dall-e-2', { n: 3 }, 3_750],
  ['dall-e-2', { n: 1, size: '256x256' }, 1_000],
  ['dall-e-2', { n: 2, size: '512x512' }, 2_250],
  ['dall-e-3', {}, 1_000],
  ['dall-e-3', { size: '1792x1024', quality: 'standard' }, 2_000],
  ['dall-e-3', { quality: 'hd' }, 2_000],
  ['dall-e-3', { size: '1024x1792', quality: 'hd' }, 3_000],
] as const)('%s with %j costs %i tokens', async (model, fields, tokens) => {
  hub.upstream.play(model, turn => answerJson(turn, { created: 1, data: [image] }))
  const result = await client().images.generate({ model, prompt: 'a dot', ...fields })
  expect(result.data).toEqual([image])
  expect(await lastCharge(hub)).toMatchObject({
    amount: tokens,
    usage: { input: tokens },
    estimated: false,
  })
})

// https://platform.openai.com/docs/api-reference/images/object
const usage = {
  input_tokens: 50,
  input_tokens_details: { text_tokens: 10, image_tokens: 40 },
  output_tokens: 272,
  total_tokens: 322,
}

it('the tokens that a model reports are charged by class', async () => {
  hub.upstream.play('gpt-image-1', turn => answerJson(turn, { created: 1, data: [image], usage }))
  const result = await client().images.generate({
    model: 'gpt-image-1',
    prompt: 'a dot',
    quality: 'low',
  })
  expect(result.usage).toEqual(usage)
  expect(await lastCharge(hub)).toMatchObject({
    amount: 322,
    usage: { input: 10, imageInput: 40, imageOutput: 272 },
  })
})

it('partial images pass as they are made, and the last event carries the usage', async () => {
  // https://platform.openai.com/docs/api-reference/images-streaming
  const events = [
    { type: 'image_generation.partial_image', partial_image_index: 0, ...image },
    { type: 'image_generation.completed', ...image, usage },
  ]
  hub.upstream.play('gpt-image-1', turn => answerStream(turn, events))
  const stream = await client().images.generate({
    model: 'gpt-image-1',
    prompt: 'a dot',
    stream: true,
    partial_images: 1,
  })
  const received = []
  for await (const event of stream) received.push(event)
  expect(received).toEqual(events)
  expect(await lastCharge(hub)).toMatchObject({ amount: 322, estimated: false })
})

it('a vendor that ignores the wish for a stream sends its only event', async () => {
  hub.upstream.play('gpt-image-1', turn => answerJson(turn, { created: 1, data: [image], usage }))
  const body = { model: 'gpt-image-1', prompt: 'a dot', stream: true }
  const text = await (await hub.post('/v1/images/generations', body)).text()
  expect(framesOf(text)).toEqual([
    { type: 'image_generation.completed', ...image, created_at: 1, usage },
  ])
  expect((await lastCharge(hub))?.amount).toBe(322)
})

it.each([
  ['size', { model: 'dall-e-3', size: '256x256' }],
  ['size', { model: 'gpt-image-1', size: 'huge' }],
  ['quality', { model: 'gpt-image-1', quality: 'ultra' }],
  ["'n'", { model: 'dall-e-2', n: 0 }],
  ["'n'", { model: 'dall-e-2', batch_size: 1.5 }],
  ['partial_images', { model: 'gpt-image-1', partial_images: 9 }],
  ['prompt', { model: 'dall-e-2', prompt: '' }],
])(
  'a %s that cannot be priced is refused before the upstream is called: %j',
  async (field, body) => {
    const error = await errorOf(client().images.generate({ prompt: 'a dot', ...body } as never))
    expect(error).toMatchObject({ status: 400, message: expect.stringContaining(field) })
    expect(hub.upstream.served).toEqual([])
  },
)

it("the vendor's refusal reaches the caller word for word, and nothing is charged", async () => {
  const before = (await lastCharge(hub))?.id
  const body = { model: 'dall-e-3', prompt: 'a dot', stream: true as const }
  expect(await errorOf(client().images.generate(body))).toMatchObject({
    status: 400,
    message: "400 Unknown parameter: 'stream'.",
    param: 'stream',
    code: 'unknown_parameter',
  })
  expect((await lastCharge(hub))?.id).toBe(before)
})

it('a price per call covers one image', async () => {
  const price = { model: 'per-call-image', type: 'times', input: 2, output: 2 }
  await hub.addChannel(1, price.model)
  await hub.app.root.put(`/api/prices/single/${price.model}`, price)
  hub.upstream.play(price.model, turn => answerJson(turn, { created: 1, data: [image] }))
  const create = (n: number) => client().images.generate({ model: price.model, prompt: 'a dot', n })
  await create(1)
  expect((await lastCharge(hub))?.amount).toBe(2_000)
  expect(await errorOf(create(2))).toMatchObject({
    status: 400,
    message: expect.stringContaining('one result'),
  })
})

it('SiliconFlow has its own names for the fields and the answer', async () => {
  // https://docs.siliconflow.cn/cn/api-reference/images/images-generations
  const url = 'https://sf.example/1.png'
  hub.upstream.play('Kwai-Kolors/Kolors', turn =>
    answerJson(turn, { images: [{ url }, { url }], timings: { inference: 1 }, seed: 5 }),
  )
  const body = { model: 'Kwai-Kolors/Kolors', prompt: 'a dot', n: 2, size: '960x1280', seed: 5 }
  const result = await client().images.generate(body as never)
  expect(result).toMatchObject({ data: [{ url }, { url }] })
  expect(receivedBody({ served: hub.upstream.served[0] } as never)).toEqual({
    model: 'Kwai-Kolors/Kolors',
    prompt: 'a dot',
    batch_size: 2,
    image_size: '960x1280',
    seed: 5,
  })
  expect((await lastCharge(hub))?.amount).toBe(2_000)
})

it('a field that the vendor cannot obey is refused', async () => {
  const create = (fields: object) =>
    errorOf(client().images.generate({ model: 'cogview-4', prompt: 'a dot', ...fields }))
  for (const [name, fields] of Object.entries({
    n: { n: 2 },
    stream: { stream: true },
  }))
    expect(await create(fields)).toMatchObject({
      status: 400,
      message: expect.stringContaining(`'${name}'`),
    })
  expect(hub.upstream.served).toEqual([])
})
