import { describe, expect, it } from 'vitest'
import { addressOf } from '../address.ts'
import { conform } from '../conform.ts'
import provider from './index.ts'

conform(
  provider,
  import.meta.url,
  { 'fault-402.json': 'upstream.funds' },
  {
    format: {
      path: /\/predictions$/,
      messages: 'input',
      usage: 'metrics',
      totals: ({ input_token_count: input, total_token_count: total }) => ({ input, total }),
    },
  },
)

const [endpoint] = provider.serves.images!
const { encodeRequest, decodeAnswer, decodeFault } = endpoint!.translation!
const flux = { model: 'black-forest-labs/flux-schnell', prompt: 'a dot' }
const answerOf = (fields: object) => ({
  body: Buffer.from(JSON.stringify(fields)),
  contentType: 'application/json',
})

describe('images of Replicate', () => {
  it.each([
    ['black-forest-labs/flux-dev', '/v1/models/black-forest-labs/flux-dev/predictions'],
    ['stability-ai/sdxl:7762fd07', '/v1/predictions'],
  ])('%s is called at %s', (model, path) => {
    const channel = { model, stream: false, options: {}, other: '', baseUrl: '' }
    expect(addressOf(provider, endpoint!, channel)).toBe(provider.baseUrl + path)
    expect(endpoint!.onlyModels!.test(model)).toBe(true)
  })

  it.each(['flux', '../..', '../../v1/account', 'a/b?c', 'a/b/c'])('%s is no model', model => {
    expect(endpoint!.onlyModels!.test(model)).toBe(false)
  })

  it('names a version in the body', () => {
    expect(encodeRequest({ model: 'stability-ai/sdxl:7762fd07', prompt: 'a' }, {})).toMatchObject({
      body: { version: '7762fd07', input: { prompt: 'a' } },
    })
  })

  it('charges the images that were made', () => {
    expect(encodeRequest({ ...flux, n: 3, output_format: 'jpeg' }, {})).toMatchObject({
      body: { input: { prompt: 'a dot', num_outputs: 3, output_format: 'jpg' } },
    })
    const made = { status: 'succeeded', output: ['https://a.example/1', 'https://a.example/2'] }
    expect(decodeAnswer!(answerOf(made), flux)).toMatchObject({
      body: { data: [{ url: 'https://a.example/1' }, { url: 'https://a.example/2' }] },
      usage: { input: 2_000 },
    })
  })

  it.each([
    [{ status: 'aborted', output: null }, { code: '504' }],
    [{ status: 'canceled' }, { code: '504' }],
    [
      { status: 'failed', error: 'NSFW content detected. Try another prompt.' },
      { type: 'invalid_request_error' },
    ],
    [{ status: 'failed', error: 'CUDA out of memory' }, { type: '' }],
    [{ status: 'canceled', output: ['https://a.example/1'] }, { code: '504' }],
  ])('takes %j for a failure: %j', (answer, fault) => {
    expect(decodeAnswer!(answerOf(answer), flux)).toBeUndefined()
    expect(decodeFault!(answerOf(answer).body)).toMatchObject(fault)
  })

  it.each([
    ['n', { n: 5 }],
    ['size', { size: '1000x10' }],
    ['background', { background: 'transparent' }],
  ])('refuses a value of %s that it cannot obey', (name, fields) => {
    expect(encodeRequest({ ...flux, ...fields }, {})).toEqual({
      refused: expect.stringContaining(`'${name}'`),
    })
  })
})
