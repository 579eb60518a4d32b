import { describe, expect, it } from 'vitest'
import { conform } from '../conform.ts'
import provider from './index.ts'

conform(provider, import.meta.url)

const { plan, readSubmit, poll } = provider.tasks!
const planned = (action: string, body: object, more: object = {}) =>
  plan({ api: 'suno', action, model: 'chirp-v3-5', body: { ...body }, ...more })

describe('a plan', () => {
  it('sends the fields of a song with the mapped model', () => {
    expect(
      planned('MUSIC', { mv: 'my-chirp', tags: 'jazz', make_instrumental: true }),
    ).toMatchObject({
      action: 'MUSIC',
      request: {
        path: '/suno/submit/music',
        body: { mv: 'chirp-v3-5', tags: 'jazz', make_instrumental: true },
      },
    })
  })

  it('names the continued task by the id of the vendor', () => {
    const origin = { upstreamId: 'u-1', action: 'MUSIC', state: {} }
    const body = { task_id: 'task_1', continue_clip_id: 'c-1', continue_at: 30 }
    expect(planned('MUSIC', body, { origin })).toMatchObject({
      request: { body: { task_id: 'u-1', continue_clip_id: 'c-1', continue_at: 30 } },
    })
  })

  it('refuses lyrics without a prompt, and an address to call back', () => {
    expect(planned('LYRICS', {}).invalid).toContain("'prompt'")
    expect(planned('MUSIC', { notify_hook: 'https://a' }).invalid).toContain("'notify_hook'")
  })
})

it('reads what was accepted, refused, or cannot be known', () => {
  const accepted = { code: 'success', message: '', data: 'u-1' }
  expect(readSubmit(200, accepted)).toMatchObject({ accepted: true, upstreamId: 'u-1' })
  const refused = { code: 'quota_not_enough', message: 'no credits', data: null }
  expect(readSubmit(429, refused)).toMatchObject({ accepted: false, status: 429 })
  expect(readSubmit(200, refused)).toMatchObject({ status: 400, code: 'quota_not_enough' })
  for (const body of [undefined, {}, { code: 'success', data: null }])
    expect(readSubmit(200, body)).toBeUndefined()
})

const task = { upstreamId: 'u-1', action: 'MUSIC', model: 'm', state: {} }
const answer = (...data: object[]) => ({ code: 'success', message: '', data })
const read = (element: object) =>
  poll.read(200, answer({ task_id: 'u-1', ...element }), [task])!.get('u-1')!

it('reads each documented state, in any case, and leaves the others open', () => {
  const words = ['NOT_START', 'SUBMITTED', 'QUEUED', 'IN_PROGRESS', 'SUCCESS', 'FAILURE', 'success']
  expect([...words, 'UNKNOWN', '', 'toString'].map(status => read({ status }).state)).toEqual([
    ...['queued', 'queued', 'queued', 'in_progress', 'completed', 'failed', 'completed'],
    ...[undefined, undefined, undefined],
  ])
})

it('asks for many tasks at once, and tells apart what the vendor does not know', () => {
  const other = { ...task, upstreamId: 'u-2' }
  expect(poll.request([task, other]).body).toEqual({ ids: ['u-1', 'u-2'] })
  const reports = poll.read(200, answer({ task_id: 'u-2', status: 'QUEUED', progress: '7%' }), [
    task,
    other,
  ])!
  expect([reports.get('u-1')!.state, reports.get('u-2')!.progress]).toEqual(['missing', 7])
  expect(poll.read(500, answer(), [task])).toBeUndefined()
  expect(poll.read(200, { code: 'fail' }, [task])).toBeUndefined()
})

it('reads the files of songs and the text of lyrics', () => {
  const clip = {
    ...{ id: 'c-1', title: 'Rain', audio_url: 'https://cdn/a.mp3', video_url: '' },
    ...{ image_url: 'https://cdn/s.jpeg', image_large_url: 'https://cdn/l.jpeg' },
    metadata: { tags: 'jazz', prompt: 'It rains.' },
  }
  const work = { id: 'c-1', title: 'Rain', tags: 'jazz', text: 'It rains.' }
  expect(read({ status: 'SUCCESS', data: [clip] }).outputs).toEqual([
    { kind: 'audio', url: 'https://cdn/a.mp3', work },
    { kind: 'image', url: 'https://cdn/l.jpeg', work },
  ])
  const lyrics = { id: 'u-1', text: 'It rains.', title: 'Rain', status: 'complete' }
  expect(read({ status: 'SUCCESS', data: lyrics }).outputs).toEqual([
    { kind: 'text', url: '', work: { ...work, id: 'u-1', tags: '' } },
  ])
})
