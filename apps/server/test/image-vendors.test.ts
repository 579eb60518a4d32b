import OpenAI from 'openai'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { lastCharge } from './relay-calls.ts'
import { useRelayHub } from './relay-hub.ts'
import { type FormCall, type FormVendor, startFormVendor } from './vendors/form-vendor.ts'

const answer = ({ response }: FormCall, body: unknown, status = 200) => {
  response.writeHead(status, { 'content-type': 'application/json' })
  response.end(JSON.stringify(body))
}

/** Rules of https://platform.stability.ai/docs/api-reference#tag/Generate */
const serveStability = (call: FormCall) => {
  const fields = Object.fromEntries(call.parts.map(([name, value]) => [name, value]))
  const refuse = (status: number, name: string, error: string) =>
    answer(call, { id: 'i', name, errors: [error] }, status)
  const { accept = '' } = call.headers
  if (!/^(image\/\*|application\/json)$/.test(accept))
    return refuse(400, 'bad_request', 'accept: must be image/* or application/json')
  if (call.parts.length === 0) return refuse(400, 'bad_request', 'content-type: must be a form')
  if (!fields.prompt) return refuse(400, 'bad_request', 'prompt: is required')
  if (/nude/.test(String(fields.prompt)))
    return refuse(403, 'content_moderation', 'Your request was flagged by our content moderation')
  answer(call, { image: 'aW1hZ2U=', finish_reason: 'SUCCESS', seed: 5 })
}

/** Rules of https://www.recraft.ai/docs/api-reference/endpoints */
const serveRecraft = (call: FormCall) => {
  const { json, parts } = call
  if (json) {
    const data = Array.from({ length: Number(json.n ?? 1) }, () => ({ url: 'https://img.example' }))
    return answer(call, { created: 1, credits: 40, data })
  }
  if (!parts.some(([name, file]) => name === 'file' && /\.png$/.test(String(file))))
    return answer(call, { code: 'invalid_request', message: 'file: is required' }, 400)
  answer(call, { credits: 10, image: { url: 'https://img.example' } })
}

const serve = (call: FormCall) => {
  if (call.path.startsWith('/v1/images/')) serveRecraft(call)
  else if (call.path.startsWith('/stable-image/')) serveStability(call)
  else answer(call, { message: `no such address: ${call.path}` }, 404)
}

const hub = useRelayHub()
let vendor: FormVendor
let client: OpenAI
beforeAll(async () => {
  vendor = await startFormVendor(serve)
  const addChannel = (type: number, models: string) =>
    hub.addChannel(type, models, { base_url: vendor.url })
  await addChannel(37, 'stable-image-core,sd3.5-large')
  await addChannel(51, 'recraftv4_1,recraftv3,recraft_vectorize')
  client = new OpenAI({ apiKey: hub.key, baseURL: `${hub.url}/v1`, maxRetries: 0 })
})
afterAll(() => vendor?.close())
afterEach(() => {
  vendor.calls.length = 0
})

describe('Stability AI', () => {
  it('draws an image for OpenAI’s client, which is charged as one', async () => {
    const result = await client.images.generate({
      model: 'sd3.5-large',
      prompt: 'a dot',
      size: '1024x1024',
    })
    expect(result.data).toEqual([{ b64_json: 'aW1hZ2U=' }])
    expect(result.created).toBeGreaterThan(1_700_000_000)
    const [call] = vendor.calls
    expect([call!.path, call!.headers.authorization]).toEqual([
      '/stable-image/generate/sd3',
      'Bearer vendor-key',
    ])
    expect(call!.parts).toEqual([
      ['model', 'sd3.5-large'],
      ['aspect_ratio', '1:1'],
      ['prompt', 'a dot'],
    ])
    expect(await lastCharge(hub)).toMatchObject({ amount: 1_000, usage: { input: 1_000 } })
  })

  it('explains a refused prompt to the caller, whose channel stays', async () => {
    const draw = (prompt: string) => client.images.generate({ model: 'stable-image-core', prompt })
    await expect(draw('nude')).rejects.toMatchObject({
      status: 403,
      message: expect.stringContaining('content moderation'),
    })
    expect((await draw('a dot')).data).toHaveLength(1)
  })

  it('refuses a wish for an address before the vendor is called', async () => {
    const fields = { model: 'sd3.5-large', prompt: 'a dot', response_format: 'url' as const }
    await expect(client.images.generate(fields)).rejects.toMatchObject({ status: 400 })
    expect(vendor.calls).toEqual([])
  })
})

describe('Recraft', () => {
  const path = '/recraftAI/v1/images/generations'
  const vectorize = async (fields: Record<string, string | Blob>) => {
    const body = new FormData()
    for (const [name, value] of Object.entries(fields)) body.set(name, value)
    const headers = { authorization: `Bearer ${hub.key}` }
    const url = `${hub.url}/recraftAI/v1/images/vectorize`
    const response = await fetch(url, { method: 'POST', headers, body })
    return { status: response.status, text: await response.text() }
  }
  const file = new File(['image'], 'a.png', { type: 'image/png' })

  it('serves the vendor’s default model at its own address, which the vendor gets', async () => {
    const response = await hub.post(path, { prompt: 'a dot', n: 2 })
    expect(((await response.json()) as { data: unknown[] }).data).toHaveLength(2)
    expect(vendor.calls[0]).toMatchObject({
      path: '/v1/images/generations',
      json: { prompt: 'a dot', n: 2, model: 'recraftv4_1' },
    })
    expect(await lastCharge(hub)).toMatchObject({ amount: 2_000, estimated: false })
  })

  // One Hub's ratio: https://www.recraft.ai/docs/api-reference/pricing
  it.each([
    ['recraftv3', 'vector_illustration', 2_000],
    ['recraftv3', 'realistic_image', 1_000],
    ['recraftv4_1', 'vector_illustration', 1_000],
  ])('an image of %s in the style %s costs %i tokens', async (model, style, amount) => {
    await hub.post(path, { prompt: 'a dot', model, style })
    expect(await lastCharge(hub)).toMatchObject({ amount })
  })

  it('a tool gets the form as it came, and is charged as one call', async () => {
    expect(await vectorize({ file, response_format: 'url' })).toMatchObject({
      status: 200,
      text: expect.stringContaining('https://img.example'),
    })
    expect(vendor.calls[0]!.parts).toEqual([
      ['file', 'a.png', 'image/png', 5],
      ['response_format', 'url'],
    ])
    expect(await lastCharge(hub)).toMatchObject({ amount: 1_000, estimated: false })
  })

  it('a form that the vendor refuses costs nothing, and its words reach the caller', async () => {
    const before = (await lastCharge(hub))?.id
    const refused = await vectorize({ other: file })
    expect(refused).toEqual({ status: 400, text: expect.stringContaining('file: is required') })
    expect((await lastCharge(hub))?.id).toBe(before)
  })

  it('a model in the form of a tool is refused before the vendor is called', async () => {
    const refused = await vectorize({ file, model: 'recraftv3' })
    expect(refused).toEqual({ status: 400, text: expect.stringContaining("'model'") })
    expect(vendor.calls).toEqual([])
  })

  it('a tool that no channel has is answered as an unknown model', async () => {
    const url = `${hub.url}/recraftAI/v1/images/eraseRegion`
    const body = new FormData()
    body.set('image', file)
    const headers = { authorization: `Bearer ${hub.key}` }
    const response = await fetch(url, { method: 'POST', headers, body })
    expect(await response.text()).toContain('recraft_eraseRegion')
    expect(response.status).toBeGreaterThanOrEqual(400)
  })
})
