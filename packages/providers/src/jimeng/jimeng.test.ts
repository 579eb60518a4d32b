import { expect, it } from 'vitest'
import { conform } from '../conform.ts'
import provider from './index.ts'

const planted = 'sk-planted-credential-2718281828'
conform(
  provider,
  import.meta.url,
  { 'fault-429.json': 'upstream.busy' },
  { credential: `${planted}|secret` },
)

const { plan, poll, readSubmit } = provider.tasks!
const nothing = {
  ...{ prompt: 'A dog', seconds: undefined, width: undefined, height: undefined },
  ...{ image: undefined, lastImage: undefined, metadata: {} },
}
const planned = (model: string, more: object) =>
  plan({ api: 'video', action: '', model, body: {}, video: { ...nothing, ...more } })
const image = 'https://a.example/i.png'
const file = 'data:image/png;base64,aGk='

it.each([
  ['jimeng_v30', {}, 'jimeng_t2v_v30', 'second_720p'],
  ['jimeng_v30', { image }, 'jimeng_i2v_first_v30', 'second_720p'],
  ['jimeng_v30_1080p', {}, 'jimeng_t2v_v30_1080p', 'second_1080p'],
  ['jimeng_v30_1080p', { image }, 'jimeng_i2v_first_v30_1080', 'second_1080p'],
  [
    'jimeng_v30_1080p',
    { image, lastImage: image },
    'jimeng_i2v_first_tail_v30_1080',
    'second_1080p',
  ],
  ['jimeng_v30_pro', { image }, 'jimeng_ti2v_v30_pro', 'second_1080p'],
  ['jimeng_t2v_v30', {}, 'jimeng_t2v_v30', 'second_720p'],
])('%s with %j is %s at the vendor', (model, more, reqKey, kind) => {
  expect(planned(model, more)).toMatchObject({
    request: { body: { req_key: reqKey } },
    state: { req_key: reqKey },
    pricing: { units: { count: 5, kinds: [kind, 'second'] } },
  })
})

it('sends images as they came, and never of both kinds', () => {
  expect(planned('jimeng_v30', { image })).toMatchObject({
    request: { body: { image_urls: [image] } },
  })
  expect(planned('jimeng_v30', { image: file })).toMatchObject({
    request: { body: { binary_data_base64: ['aGk='] } },
  })
  expect(planned('jimeng_v30', { image, lastImage: file }).invalid).toContain("'images'")
})

it('a refusal by the review ends a task, and a busy service does not', () => {
  const task = { upstreamId: '7', action: '', model: 'm', state: {} }
  const read = (body: object) => poll.read(400, body, [task])?.get('7')?.state
  expect(read({ code: 50_511, message: 'Post Img Risk Not Pass' })).toBe('failed')
  expect(read({ code: 50_430, message: 'Concurrent Limit' })).toBeUndefined()
  expect(read({ code: 50_500, message: 'Internal Error' })).toBeUndefined()
})

it('reads the errors of the gateway in front of the service', () => {
  const error = {
    CodeN: 100_010,
    Code: 'SignatureDoesNotMatch',
    Message: 'The signature is wrong.',
  }
  expect(readSubmit(401, { ResponseMetadata: { Error: error } })).toEqual({
    ...{ accepted: false, status: 401 },
    ...{ code: 'SignatureDoesNotMatch', message: 'The signature is wrong.' },
  })
  expect(readSubmit(502, {})).toBeUndefined()
})
