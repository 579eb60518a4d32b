import { expect, it } from 'vitest'
import { tasks } from './tasks.ts'

const nothing = {
  ...{ prompt: 'A dog', seconds: undefined, width: undefined, height: undefined },
  ...{ image: undefined, lastImage: undefined, metadata: {} },
}
const planned = (model: string, more: object) =>
  tasks.plan({ api: 'video', action: '', model, body: {}, video: { ...nothing, ...more } })
const image = 'https://a.example/i.png'
const lastImage = 'data:image/png;base64,aGk='

it('2.7 has media and a ratio', () => {
  const media = [
    { type: 'first_frame', url: image },
    { type: 'last_frame', url: lastImage },
  ]
  expect(
    planned('wan2.7-i2v', { image, lastImage, metadata: { negative_prompt: 'cats', seed: 7 } }),
  ).toMatchObject({
    request: {
      body: {
        input: { prompt: 'A dog', media, negative_prompt: 'cats' },
        parameters: { resolution: '720P', duration: 5, seed: 7 },
      },
    },
  })
  expect(planned('wan2.7-t2v', { width: 1080, height: 1920 })).toMatchObject({
    pricing: { units: { count: 5, kinds: ['second_1080p', 'second'] } },
    request: { body: { parameters: { resolution: '1080P', ratio: '9:16' } } },
  })
})

it('earlier models have a size, and addresses of their own for images', () => {
  expect(planned('wan2.5-t2v-preview', { width: 832, height: 480 })).toMatchObject({
    pricing: { units: { kinds: ['second_480p', 'second'] } },
    request: { body: { parameters: { size: '832*480', duration: 5 } } },
  })
  expect(planned('wan2.5-i2v-preview', { image })).toMatchObject({
    request: { body: { input: { img_url: image }, parameters: { resolution: '720P' } } },
  })
  expect(planned('wan2.2-kf2v-flash', { image, lastImage })).toMatchObject({
    request: {
      path: '/api/v1/services/aigc/image2video/video-synthesis',
      body: { input: { first_frame_url: image, last_frame_url: lastImage } },
    },
  })
  expect(planned('wan2.2-kf2v-flash', { lastImage }).invalid).toContain("'last_image'")
})

it('a silent video may have a price of its own', () => {
  const video = planned('wan2.6-i2v-flash', { image, metadata: { audio: false } })
  expect(video).toMatchObject({
    pricing: { units: { kinds: ['second_720p_silent', 'second_silent', 'second_720p', 'second'] } },
  })
})

it('a task that the vendor does not know is missing', () => {
  const task = { upstreamId: 't', action: '', model: 'm', state: {} }
  const body = { output: { task_id: 't', task_status: 'UNKNOWN' } }
  expect(tasks.poll.read(200, body, [task])?.get('t')?.state).toBe('missing')
})
