import { describe, expect, it } from 'vitest'
import provider from './index.ts'

const [images] = provider.serves.images!
const [speech] = provider.serves.speech!
const draw = (fields: object) =>
  images!.translation!.encodeRequest({ prompt: 'a dot', ...fields }, {})
const say = (fields: object) =>
  speech!.translation!.encodeRequest({ input: 'hi', voice: 'luna', ...fields }, {})
const sdxl = '@cf/stabilityai/stable-diffusion-xl-base-1.0'

describe('images of Cloudflare', () => {
  it.each([
    [sdxl, true],
    ['@cf/lykon/dreamshaper-8-lcm', true],
    ['@cf/black-forest-labs/flux-1-schnell', true],
    ['@cf/black-forest-labs/flux-2-dev', false],
    ['@cf/openai/gpt-oss-120b', false],
    ['@cf/lykon/../../../other', false],
    ['@cf/lykon/..', false],
  ])('%s is served by JSON: %s', (model, expected) => {
    expect(images!.onlyModels!.test(model)).toBe(expected)
  })

  it('writes a size in pixels', () => {
    expect(draw({ model: sdxl, size: '768x1024', guidance: 7 })).toMatchObject({
      body: { prompt: 'a dot', width: 768, height: 1024, guidance: 7 },
    })
  })

  it('returns the bytes of a file as base64', () => {
    const { decodeAnswer } = images!.translation!
    expect(decodeAnswer!({ body: Buffer.from('png'), contentType: 'image/png' }, {})).toEqual({
      body: { created: 0, data: [{ b64_json: 'cG5n' }] },
    })
    const error = { body: Buffer.from('{"success":false}'), contentType: 'application/json' }
    expect(decodeAnswer!(error, {})).toBeUndefined()
  })

  it.each([
    ['size', { model: '@cf/black-forest-labs/flux-1-schnell', size: '512x512' }],
    ['size', { model: sdxl, size: 'huge' }],
    ['n', { model: sdxl, n: 2 }],
    ['output_format', { model: sdxl, output_format: 'webp' }],
  ])('refuses a value of %s that it cannot obey', (name, fields) => {
    expect(draw(fields)).toEqual({ refused: expect.stringContaining(`'${name}'`) })
  })
})

describe('transcriptions of Cloudflare', () => {
  const { encodeRequest, decodeAnswer } = provider.serves.transcriptions![0]!.translation!
  const answer = (fields: object, format?: string) =>
    decodeAnswer!(
      { body: Buffer.from(JSON.stringify(fields)), contentType: 'application/json' },
      format ? { response_format: format } : {},
    )

  it('sends the file alone, and drops what cannot go with it', () => {
    const form = { model: '@cf/openai/whisper', file: [{}], language: 'en' }
    expect(encodeRequest(form, {})).toEqual({ body: {}, file: 'file', dropped: ['language'] })
  })

  it('answers in the format of the caller', () => {
    const result = { text: 'a b', vtt: 'WEBVTT' }
    expect(answer({ result })).toEqual({ body: { text: 'a b' } })
    expect(answer({ result }, 'text')).toMatchObject({ body: Buffer.from('a b\n') })
    expect(answer({ result: { text: 'a b' } }, 'vtt')).toBeUndefined()
    expect(answer({ success: false, errors: [{ message: 'm' }] })).toBeUndefined()
  })

  it('refuses a format that it cannot make', () => {
    expect(encodeRequest({ response_format: 'srt' }, {})).toEqual({
      refused: expect.stringContaining("'response_format'"),
    })
  })
})

describe('speech of Cloudflare', () => {
  it.each([
    [{}, { encoding: 'mp3' }],
    [{ response_format: 'opus' }, { encoding: 'opus', container: 'ogg' }],
    [{ response_format: 'pcm' }, { encoding: 'linear16', container: 'none', sample_rate: 24_000 }],
  ])('a request with %j gets %j', (fields, encoding) => {
    expect(say(fields)).toMatchObject({ body: { text: 'hi', speaker: 'luna', ...encoding } })
  })

  it('refuses a speed, which the vendor does not have', () => {
    expect(say({ speed: 2 })).toEqual({ refused: expect.stringContaining("'speed'") })
  })
})
