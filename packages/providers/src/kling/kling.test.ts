import { createHmac } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { conform } from '../conform.ts'
import type { JsonObject } from '../tasks.ts'
import provider from './index.ts'

const planted = 'sk-planted-credential-2718281828'
// The secret part never leaves the gateway, so a ready token stands for the credential.
conform(provider, import.meta.url, {}, { credential: planted })

const { plan, readSubmit, poll } = provider.tasks!
const video = {
  ...{ prompt: 'A dog', seconds: undefined, width: undefined, height: undefined },
  ...{ image: undefined, lastImage: undefined, metadata: {} },
}
const planned = (model: string, more: object = {}) =>
  plan({ api: 'video', action: '', model, body: {}, video: { ...video, ...more } })

it('signs a token of half an hour with the secret key', () => {
  const now = 1_700_000_000
  const { headers } = provider.sign({ now: () => now * 1_000 }, 'access|secret')
  const [head = '', claims = '', signature] = headers.authorization!.slice(7).split('.')
  const read = (text: string) => JSON.parse(Buffer.from(text, 'base64url').toString())
  expect(read(head)).toEqual({ alg: 'HS256', typ: 'JWT' })
  expect(read(claims)).toEqual({ iss: 'access', exp: now + 1_800, nbf: now - 5 })
  expect(signature).toBe(
    createHmac('sha256', 'secret').update(`${head}.${claims}`).digest('base64url'),
  )
})

describe('a plan', () => {
  it('names the price by model, mode and seconds', () => {
    expect(planned('kling-v1', { seconds: 10, metadata: { mode: 'pro' } })).toMatchObject({
      action: 'text2video',
      pricing: {
        names: ['kling-video_kling-v1_pro_10'],
        units: { count: 10, kinds: ['second_pro', 'second'] },
      },
    })
  })

  it('takes mode and seconds from a model of the price list', () => {
    const task = planned('kling-video_kling-v1-5_pro_10')
    expect(task).toMatchObject({
      pricing: { names: ['kling-video_kling-v1-5_pro_10'] },
      request: { body: { model_name: 'kling-v1-5', mode: 'pro', duration: '10' } },
    })
    expect(planned('kling-video_kling-v1-5_pro_10', { seconds: 5 }).invalid).toContain("'seconds'")
  })

  it('prices sound apart, so that it is never sold at the price of silence', () => {
    expect(planned('kling-v3', { metadata: { sound: 'on' } })).toMatchObject({
      pricing: {
        names: ['kling-video_kling-v3_std_5_audio'],
        units: { count: 5, kinds: ['second_std_audio', 'second_audio'] },
      },
    })
  })

  it('sends an image as base64 without its head', () => {
    const image = 'data:image/png;base64,aGk='
    expect(planned('kling-v1', { image })).toMatchObject({
      action: 'image2video',
      request: { path: '/v1/videos/image2video', body: { image: 'aGk=' } },
    })
  })

  it.each([
    [{ mode: 'best' }],
    [{ duration: '99' }],
    [{ duration: 'x' }],
    [{ callback_url: 'https://a' }],
  ])('refuses %j', metadata => {
    expect(planned('kling-v1', { metadata }).invalid).toMatch(/^'/)
  })
})

// As the documented example: code 0, SUCCEED, and ids as texts.
const answer = (data: JsonObject) => ({ code: 0, message: 'SUCCEED', request_id: 'r', data })
const task = { upstreamId: '867', action: 'text2video', model: 'm', state: {} }

it('reads each documented state, in any case, and leaves the others open', () => {
  const stateOf = (word: string) =>
    poll.read(200, answer({ task_id: '867', task_status: word }), [task])!.get('867')!.state
  expect(
    ['submitted', 'processing', 'succeed', 'failed', 'SUCCEED', 'toString', ''].map(stateOf),
  ).toEqual([
    ...['queued', 'in_progress', 'completed', 'failed', 'completed'],
    ...[undefined, undefined],
  ])
})

it('reads what was accepted, refused, or cannot be known', () => {
  expect(readSubmit(200, answer({ task_id: '867' }))).toMatchObject({ upstreamId: '867' })
  expect(readSubmit(200, { code: 1201, message: 'no' })).toMatchObject({ status: 400 })
  expect(readSubmit(429, { code: 1303, message: 'busy' })).toMatchObject({ status: 429 })
  expect(readSubmit(200, answer({}))).toBeUndefined()
  expect(readSubmit(502, undefined)).toBeUndefined()
  expect(poll.read(500, { code: 5000 }, [task])).toBeUndefined()
  expect(poll.read(404, { code: 1203 }, [task])!.get('867')!.state).toBe('missing')
})
