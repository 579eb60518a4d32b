import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { addressOf } from '../address.ts'
import { conform } from '../conform.ts'
import provider from './index.ts'

conform(provider, import.meta.url, {
  'fault-402-credits.json': 'upstream.funds',
  'fault-403-moderation.json': 'upstream.caller',
})

const fixture = (name: string) => readFileSync(new URL(`fixtures/${name}`, import.meta.url))
const [endpoint] = provider.serves.images!
const translation = endpoint!.translation!

const encode = (fields: object) =>
  translation.encodeRequest({ model: 'sd3.5-large', prompt: 'a dot', ...fields }, {})

/** The fields of the form that is sent, by another parser than ours. */
const sentFields = async (fields: object): Promise<Record<string, unknown>> => {
  const encoded = encode(fields)
  if ('refused' in encoded) throw new Error(encoded.refused)
  const headers = { 'content-type': encoded.contentType! }
  const form = await new Response(encoded.body as Buffer<ArrayBuffer>, { headers }).formData()
  return Object.fromEntries(form)
}

describe('images of Stability AI', () => {
  it('sends the documented example byte for byte', () => {
    const request = JSON.parse(String(fixture('images.request.json')))
    const encoded = translation.encodeRequest(request, {})
    if ('refused' in encoded) throw new Error(encoded.refused)
    const [, boundary] = /boundary=(.+)$/.exec(encoded.contentType!)!
    expect(String(encoded.body).replaceAll(boundary!, 'BOUNDARY')).toBe(
      String(fixture('images.sent.txt')),
    )
  })

  it('returns the documented answer in OpenAI’s form', () => {
    const body = fixture('images.answer.json')
    expect(translation.decodeAnswer!({ body, contentType: 'application/json' }, {})).toEqual({
      body: {
        created: 0,
        data: [{ b64_json: 'AAAAIGZ0eXBpc29tAAACAGlzb21pc28yYXZjMW1' }],
        seed: 343940597,
      },
    })
  })

  it('takes an error for no answer', () => {
    const body = fixture('fault-400.json')
    expect(translation.decodeAnswer!({ body, contentType: 'application/json' }, {})).toBeUndefined()
    const page = { body: Buffer.from('<html>'), contentType: 'text/html' }
    expect(translation.decodeAnswer!(page, {})).toBeUndefined()
  })

  it.each([
    ['stable-image-ultra', 'ultra'],
    ['stable-image-core', 'core'],
    ['sd3', 'sd3'],
    ['sd3.5-large-turbo', 'sd3'],
  ])('calls the service of %s', (model, service) => {
    const channel = { model, stream: false, options: {}, other: '', baseUrl: '' }
    expect(addressOf(provider, endpoint!, channel)).toBe(
      `https://api.stability.ai/v2beta/stable-image/generate/${service}`,
    )
  })

  it('sends the ratio of a size, and the vendor’s own fields as they are', async () => {
    const own = { seed: 0, negative_prompt: 'a "line"\r\n--x', style_preset: 'anime' }
    expect(await sentFields({ size: '1792x1024', quality: 'hd', n: 1, ...own })).toEqual({
      model: 'sd3.5-large',
      prompt: 'a dot',
      aspect_ratio: '16:9',
      ...own,
      seed: '0',
    })
    expect(await sentFields({ size: 'auto', user: null })).toEqual({
      model: 'sd3.5-large',
      prompt: 'a dot',
    })
    expect(encode({ quality: 'hd', user: 'u' })).toMatchObject({ dropped: ['quality', 'user'] })
  })

  it.each([
    ['n', { n: 2 }],
    ['size', { size: '1000x100' }],
    ['size', { size: 'huge' }],
    ['background', { background: 'transparent' }],
    ['output_format', { output_format: 'gif' }],
    ['output_compression', { output_compression: 50 }],
    ['image', { image: { url: 'x' } }],
  ])('refuses a value of %s that it cannot obey', (name, fields) => {
    expect(encode(fields)).toEqual({ refused: expect.stringContaining(`'${name}'`) })
  })
})
