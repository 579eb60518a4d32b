import { describe, expect, it } from 'vitest'
import provider from './index.ts'

const [endpoint] = provider.serves.images!
const { encodeRequest, decodeAnswer, decodeFault } = endpoint!.translation!
const answerOf = (fields: object) => ({
  body: Buffer.from(JSON.stringify(fields)),
  contentType: 'application/json',
})
const core = { model: 'stability.stable-image-core-v1:1', prompt: 'a dot' }

describe('images of Bedrock', () => {
  it.each([
    ['amazon.nova-canvas-v1:0', true],
    ['amazon.titan-image-generator-v2:0', true],
    ['us.stability.stable-image-ultra-v1:1', true],
    ['amazon.nova-pro-v1:0', false],
    ['anthropic.claude-opus-4-6-v1', false],
  ])('%s draws: %s', (model, expected) => {
    expect(endpoint!.onlyModels!.test(model)).toBe(expected)
  })

  it('writes the fields of Stability AI’s models', () => {
    expect(encodeRequest({ ...core, size: '1792x1024', seed: 5, user: 'u' }, {})).toEqual({
      body: { prompt: 'a dot', aspect_ratio: '16:9', seed: 5 },
      dropped: ['user'],
    })
  })

  it('charges an image of up to a megapixel as one', () => {
    const answer = answerOf({ seeds: [1], finish_reasons: [null], images: ['aQ=='] })
    expect(decodeAnswer!(answer, core)).toMatchObject({
      body: { data: [{ b64_json: 'aQ==' }] },
      usage: { input: 1_000 },
    })
  })

  it.each([
    [{ finish_reasons: ['Filter reason: prompt'] }, 'invalid_request_error'],
    [{ images: [], error: 'blocked by our content filters' }, 'invalid_request_error'],
    [{ finish_reasons: ['Inference error'] }, ''],
  ])('tells whether a prompt was filtered: %j', (answer, type) => {
    expect(decodeAnswer!(answerOf(answer), core)).toBeUndefined()
    expect(decodeFault!(answerOf(answer).body)).toMatchObject({ type })
  })

  it.each([
    ['n', { ...core, n: 2 }],
    ['n', { model: 'amazon.nova-canvas-v1:0', prompt: 'a', n: 6 }],
    ['size', { model: 'amazon.nova-canvas-v1:0', prompt: 'a', size: 'huge' }],
    ['size', { ...core, size: '1024x100' }],
  ])('refuses a value of %s that it cannot obey', (name, request) => {
    expect(encodeRequest(request, {})).toEqual({ refused: expect.stringContaining(`'${name}'`) })
  })
})
