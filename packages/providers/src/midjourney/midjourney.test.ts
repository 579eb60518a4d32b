import { describe, expect, it } from 'vitest'
import { conform } from '../conform.ts'
import type { JsonObject } from '../tasks.ts'
import { midjourneyModels, modeOf, readMidjourneyAction, readMidjourneyMode } from './actions.ts'
import provider from './index.ts'

conform(provider, import.meta.url)

const { plan, readSubmit, poll } = provider.tasks!
const planned = (action: string, body: JsonObject, origin?: JsonObject) =>
  plan({
    ...{ api: 'midjourney', action, model: 'm', body },
    ...(origin && { origin: { upstreamId: '777', action: 'IMAGINE', state: origin } }),
  })

it('signs with a header of its own', () => {
  expect(provider.sign({ now: () => 0 }, 'secret').headers).toEqual({ 'mj-api-secret': 'secret' })
})

const hash = '3dbbd469-36af-4a0f-8f02-df6c579e7011'

describe('an action', () => {
  it.each([
    ['submit/imagine', { prompt: 'Cat' }, 'IMAGINE'],
    ['submit/describe', { base64: 'data:image/png;base64,aGk=' }, 'DESCRIBE'],
    ['submit/blend', { base64Array: ['a', 'b'] }, 'BLEND'],
    ['submit/shorten', { prompt: 'A long cat' }, 'SHORTEN'],
    ['submit/edits', { prompt: 'With a hat', image: 'a' }, 'EDITS'],
    ['submit/upload-discord-images', { base64Array: ['a'] }, 'UPLOAD'],
    ['insight-face/swap', { sourceBase64: 'a', targetBase64: 'b' }, 'SWAP_FACE'],
    ['submit/video', { prompt: 'It runs', motion: 'low', image: 'a' }, 'VIDEO'],
    ['submit/change', { taskId: '1', action: 'UPSCALE', index: 2 }, 'UPSCALE'],
    ['submit/change', { taskId: '1', action: 'REROLL' }, 'REROLL'],
    ['submit/simple-change', { content: '1320098173412546 U2' }, 'UPSCALE'],
    ['submit/simple-change', { content: '1320098173412546 v4' }, 'VARIATION'],
    ['submit/simple-change', { content: '1320098173412546 R' }, 'REROLL'],
    ['submit/modal', { taskId: '1', prompt: 'Cat' }, 'MODAL'],
  ])('of %s %j is %s', (path, body, action) => {
    expect(readMidjourneyAction(path, body)).toMatchObject({ action })
  })

  it.each([
    [`MJ::JOB::upsample::2::${hash}`, 'UPSCALE'],
    [`MJ::JOB::upsample_v6_2x_subtle::1::${hash}::SOLO`, 'UPSCALE'],
    [`MJ::JOB::variation::2::${hash}`, 'VARIATION'],
    [`MJ::JOB::low_variation::1::${hash}::SOLO`, 'LOW_VARIATION'],
    [`MJ::JOB::high_variation::1::${hash}::SOLO`, 'HIGH_VARIATION'],
    [`MJ::JOB::pan_left::1::${hash}::SOLO`, 'PAN'],
    [`MJ::JOB::reroll::0::${hash}::SOLO`, 'REROLL'],
    [`MJ::Outpaint::50::1::${hash}::SOLO`, 'ZOOM'],
    [`MJ::CustomZoom::${hash}`, 'CUSTOM_ZOOM'],
    [`MJ::Inpaint::1::${hash}::SOLO`, 'INPAINT'],
    ['MJ::Picread::Retry', 'DESCRIBE'],
    [`MJ::JOB::animate_high::1::${hash}::SOLO`, 'VIDEO'],
  ])('of the button %s is %s', (customId, action) => {
    expect(readMidjourneyAction('submit/action', { taskId: '1', customId })).toMatchObject({
      ...{ action, taskId: '1' },
    })
  })

  it.each([
    ['submit/imagine', {}, "'prompt'"],
    ['submit/imagine', { prompt: ' ' }, "'prompt'"],
    ['submit/describe', {}, "'base64'"],
    ['submit/blend', { base64Array: [] }, "'base64Array'"],
    ['insight-face/swap', { sourceBase64: 'a' }, "'targetBase64'"],
    ['submit/change', { taskId: '1', action: 'IMAGINE' }, "'action'"],
    ['submit/change', { taskId: '1', action: 'UPSCALE', index: 5 }, "'index'"],
    ['submit/change', { action: 'REROLL' }, "'taskId'"],
    ['submit/simple-change', { content: '1320098173412546 U5' }, "'content'"],
    ['submit/simple-change', { content: '1320098173412546 constructor' }, "'content'"],
    ['submit/action', { taskId: '1', customId: 'MJ::BOOKMARK::1' }, "'customId'"],
    ['submit/modal', {}, "'taskId'"],
  ])('of %s %j is refused with the field', (path, body, field) => {
    expect(readMidjourneyAction(path, body)).toEqual({ invalid: expect.stringContaining(field) })
  })

  it('of other paths is unknown', () => {
    expect(readMidjourneyAction('submit/show', {})).toBeUndefined()
    expect(readMidjourneyAction('toString', {})).toBeUndefined()
  })
})

it('names prices by action and mode', () => {
  expect(midjourneyModels('IMAGINE', 'fast')).toEqual(['mj_imagine'])
  expect(midjourneyModels('HIGH_VARIATION', 'turbo')).toEqual(['mj_turbo_high_variation'])
  expect(midjourneyModels('SWAP_FACE', 'fast')).toEqual(['mj_swap_face', 'swap_face'])
  expect(['mj-fast', 'turbo', 'RELAX', 'slow', ''].map(readMidjourneyMode)).toEqual([
    ...['fast', 'turbo', 'relax'],
    ...[undefined, undefined],
  ])
  expect(modeOf({ accountFilter: { modes: ['RELAX'] } })).toBe('relax')
})

describe('a plan', () => {
  it('takes speeds out of the prompt, so that only the paid one counts', () => {
    const prompt = 'Cat --ar 3:2 --turbo --relaxed --FAST'
    expect(planned('submit/imagine', { prompt, botType: 'MID_JOURNEY' })).toMatchObject({
      prompt: 'Cat --ar 3:2 --relaxed',
      request: { path: '/mj/submit/imagine', body: { botType: 'MID_JOURNEY' } },
    })
  })

  it("continues a task by the proxy's id and inherits its prompt", () => {
    const origin = { prompt: 'Cat', mode: 'fast' }
    expect(
      planned('submit/change', { taskId: '1', action: 'UPSCALE', index: 2 }, origin),
    ).toMatchObject({
      ...{ action: 'UPSCALE', prompt: 'Cat' },
      request: { body: { taskId: '777', action: 'UPSCALE', index: 2 } },
    })
    expect(planned('submit/simple-change', { content: '1 u2 ' }, origin)).toMatchObject({
      request: { path: '/mj/submit/simple-change', body: { content: '777 u2' } },
    })
  })
})

// Answers of https://github.com/novicezk/midjourney-proxy/blob/main/docs/api.md
describe('an answer to a submission', () => {
  it.each([1, 21, 22])('with code %i is accepted', code => {
    const properties = { numberOfQueues: 1 }
    const body = { code, description: 'ok', result: '0741798445574458', properties }
    expect(readSubmit(200, body)).toEqual({
      ...{ accepted: true, upstreamId: '0741798445574458' },
      data: { code, description: 'ok', properties },
    })
  })

  it('with uploaded images is complete', () => {
    const result = ['https://cdn.discordapp.com/attachments/1/2/a.png']
    expect(readSubmit(200, { code: 1, description: 'ok', result })).toMatchObject({
      data: { result },
      report: { state: 'completed' },
    })
  })

  it.each([
    [200, 3, 503],
    [404, 3, 404],
    [200, 4, 400],
    [200, 9, 500],
    [200, 23, 429],
    [200, 24, 400],
    [429, 30, 429],
  ])('with status %i and code %i is refused, and passed on', (status, code, classified) => {
    const properties = { promptEn: 'nude body', bannedWord: 'nude' }
    expect(readSubmit(status, { code, description: 'no', properties })).toEqual({
      ...{ accepted: false, status: classified, code: String(code), message: 'no' },
      answer: { status, body: { code, description: 'no', properties, result: '' } },
    })
  })

  it('is not passed on where it is about the secret, and open where it cannot be read', () => {
    expect(readSubmit(401, { code: 4, description: 'denied' })).toEqual({
      ...{ accepted: false, status: 401, code: '', message: 'denied' },
    })
    expect(readSubmit(200, undefined)).toBeUndefined()
    expect(readSubmit(200, { code: 1, description: 'ok' })).toBeUndefined()
    expect(readSubmit(502, undefined)).toBeUndefined()
  })
})

describe('a poll', () => {
  const polled = ['7', '8'].map(upstreamId => ({
    ...{ upstreamId, action: 'IMAGINE', model: 'm', state: {} },
  }))
  const read = (...tasks: JsonObject[]) => poll.read(200, tasks, polled)!

  it('asks for all tasks at once', () => {
    expect(poll.request([...polled, polled[0]!])).toEqual({
      ...{ method: 'POST', path: '/mj/task/list-by-condition', body: { ids: ['7', '8'] } },
    })
  })

  it('reads each documented state, in any case, and leaves the others open', () => {
    const words = ['NOT_START', 'SUBMITTED', 'IN_PROGRESS', 'MODAL', 'SUCCESS', 'FAILURE', 'CANCEL']
    const stateOf = (status: string) => read({ id: '7', status }).get('7')!.state
    expect([...words, 'success', 'toString', ''].map(stateOf)).toEqual([
      ...['queued', 'queued', 'in_progress', 'in_progress', 'completed', 'failed', 'failed'],
      ...['completed', undefined, undefined],
    ])
  })

  it('reads progress, reason, image and videos', () => {
    const task = {
      ...{ id: '7', status: 'SUCCESS', progress: '100%', failReason: null },
      ...{ imageUrl: 'https://cdn.discordapp.com/a.png', videoUrl: 'https://a.example/v.mp4' },
    }
    expect(read(task).get('7')).toEqual({
      ...{ state: 'completed', word: 'SUCCESS', progress: 100, reason: '', data: task },
      outputs: [
        { kind: 'image', url: task.imageUrl },
        { kind: 'video', url: task.videoUrl },
      ],
    })
  })

  it('misses tasks that the proxy leaves out, and reads nothing from errors', () => {
    expect(read({ id: '7', status: 'SUCCESS' }).get('8')!.state).toBe('missing')
    expect(poll.read(500, [], polled)).toBeUndefined()
    expect(poll.read(200, { code: 4 }, polled)).toBeUndefined()
  })
})
