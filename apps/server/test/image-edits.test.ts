import OpenAI from 'openai'
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest'
import { lastCharge } from './relay-calls.ts'
import { useRelayHub } from './relay-hub.ts'
import { type FormCall, type FormVendor, refuse, startFormVendor } from './vendors/form-vendor.ts'

/** https://platform.openai.com/docs/api-reference/images/object */
const usage = {
  total_tokens: 100,
  input_tokens: 50,
  output_tokens: 50,
  input_tokens_details: { text_tokens: 10, image_tokens: 40 },
}
const classes = { input: 10, imageInput: 40, imageOutput: 50 }

const sizes = ['256x256', '512x512', '1024x1024']

/** Rules of https://platform.openai.com/docs/api-reference/images/createEdit and createVariation. */
const serveImages = (call: FormCall) => {
  const { parts, json, path, response } = call
  const fields = json ?? Object.fromEntries(parts.map(([name, value]) => [name, value]))
  const images = json ? json.images : parts.filter(([name]) => /^image(\[\])?$/.test(String(name)))
  const isOld = fields.model === 'dall-e-2'
  if (!Array.isArray(images) || images.length === 0) return refuse(call, 'An image is required.')
  if (path.endsWith('edits') && !fields.prompt) return refuse(call, 'A prompt is required.')
  if (isOld && images.length > 1) return refuse(call, 'dall-e-2 takes one image.')
  if (isOld && fields.size && !sizes.includes(String(fields.size)))
    return refuse(call, 'Invalid size.')
  if (!isOld && fields.response_format) return refuse(call, "Unknown parameter: 'response_format'.")
  if (!isOld && String(fields.stream) === 'true') return stream(call)
  response.writeHead(200, { 'content-type': 'application/json' })
  response.end(
    JSON.stringify({ created: 1, data: [{ b64_json: 'aW1hZ2U=' }], ...(isOld ? {} : { usage }) }),
  )
}

/** https://platform.openai.com/docs/api-reference/images-streaming */
const stream = ({ response }: FormCall) => {
  response.writeHead(200, { 'content-type': 'text/event-stream' })
  const image = { b64_json: 'aW1hZ2U=', created_at: 1 }
  for (const event of [
    { type: 'image_edit.partial_image', ...image, partial_image_index: 0 },
    { type: 'image_edit.completed', ...image, usage },
  ])
    response.write(`event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`)
  response.end()
}

const hub = useRelayHub()
let vendor: FormVendor
let client: OpenAI
beforeAll(async () => {
  vendor = await startFormVendor(serveImages)
  const model_mapping = JSON.stringify({ mine: 'gpt-image-1' })
  await hub.addChannel(1, 'gpt-image-1,dall-e-2,mine', { base_url: vendor.url, model_mapping })
  await hub.addChannel(56, 'grok-imagine-image', { base_url: vendor.url })
  client = new OpenAI({ apiKey: hub.key, baseURL: `${hub.url}/v1`, maxRetries: 0 })
})
afterAll(() => vendor?.close())
afterEach(() => {
  vendor.answer = undefined
  vendor.calls.length = 0
})

const png = (name = 'a.png') => new File(['image'], name, { type: 'image/png' })

it('several images and a mask are edited, and charged by the vendor’s usage', async () => {
  const image = [png('1.png'), png('2.png')]
  const answer = await client.images.edit({
    model: 'mine',
    image,
    mask: png('m.png'),
    prompt: 'a "hat"',
  })
  expect(answer.data?.[0]?.b64_json).toBe('aW1hZ2U=')
  // The client appends files when they were read.
  expect(vendor.calls[0]!.parts.toSorted()).toEqual([
    ['image[]', '1.png', 'image/png', 5],
    ['image[]', '2.png', 'image/png', 5],
    ['mask', 'm.png', 'image/png', 5],
    ['model', 'gpt-image-1'],
    ['prompt', 'a "hat"'],
  ])
  expect(await lastCharge(hub)).toMatchObject({ usage: classes, amount: 100, estimated: false })
})

it('partial images are streamed, and the end follows the charge', async () => {
  const events = await client.images.edit({
    model: 'gpt-image-1',
    image: png(),
    prompt: 'x',
    stream: true,
    partial_images: 1,
  })
  const types: string[] = []
  for await (const each of events) types.push(each.type)
  expect(types).toEqual(['image_edit.partial_image', 'image_edit.completed'])
  expect(await lastCharge(hub)).toMatchObject({ usage: classes, amount: 100 })
})

it('a body of JSON is edited too, where the vendor documents it', async () => {
  const images = [{ image_url: 'data:image/png;base64,aW1hZ2U=' }]
  const response = await hub.post('/v1/images/edits', { model: 'gpt-image-1', images, prompt: 'x' })
  expect(response.status).toBe(200)
  expect(vendor.calls[0]!.json).toEqual({ model: 'gpt-image-1', images, prompt: 'x' })
  expect(await lastCharge(hub)).toMatchObject({ usage: classes })
})

it.each([
  ['/images/edits', { prompt: 'x', size: '512x512', n: '2' }, 2_250],
  ['/images/variations', { size: '256x256' }, 1_000],
])(
  '%s without a model is served and priced by One Hub’s default, which the vendor gets',
  async (path, fields, amount) => {
    const form = new FormData()
    form.append('image', png())
    for (const [name, value] of Object.entries(fields)) form.append(name, value)
    const response = await fetch(`${hub.url}/v1${path}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${hub.key}` },
      body: form,
    })
    expect(response.status).toBe(200)
    expect(vendor.calls[0]!.parts.at(-1)).toEqual(['model', 'dall-e-2'])
    expect(await lastCharge(hub)).toMatchObject({
      usage: { input: amount },
      amount,
      estimated: false,
    })
  },
)

it.each([
  ['no image', { model: 'gpt-image-1', prompt: 'x' }, /'image' must be an image/],
  ['no prompt', { model: 'gpt-image-1', images: [{ image_url: 'x' }] }, /'prompt' must/],
  [
    'a file of the vendor',
    { model: 'gpt-image-1', prompt: 'x', images: [{ file_id: 'file-1' }] },
    /files of the provider/,
  ],
  [
    'an unknown size',
    { model: 'dall-e-2', prompt: 'x', image: 'x', size: '1x1' },
    /'size' must be/,
  ],
  ['a wrong count', { model: 'gpt-image-1', prompt: 'x', image: 'x', n: 0 }, /'n' must be/],
])('an edit with %s is refused before the vendor sees it', async (_, body, message) => {
  const response = await hub.post('/v1/images/edits', body)
  expect(response.status).toBe(400)
  expect(await response.text()).toMatch(message)
  expect(vendor.calls).toEqual([])
})

it('a vendor that takes no forms is not sent one', async () => {
  const send = client.images.edit({ model: 'grok-imagine-image', image: png(), prompt: 'x' })
  await expect(send).rejects.toMatchObject({ status: 501 })
  const images = [{ url: 'https://vendor.example/a.png' }]
  const response = await hub.post('/v1/images/edits', {
    model: 'grok-imagine-image',
    images,
    prompt: 'x',
  })
  expect(response.status).toBe(200)
})
