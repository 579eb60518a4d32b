import type { VideoApi, VideoCall } from './video-api.ts'

const shared = {
  ...{ type: 8, unit: 'second_720p' },
  refused: [
    ...[{ size: 'large' }, { metadata: { duration: 10 } }, { last_image: 'https://a.example/i' }],
  ],
}

/** Both wrap their errors, and take the key as Bearer only. */
const withKey =
  (rule: (body: VideoCall['body']) => string | undefined) =>
  ({ method, headers, body }: VideoCall) => {
    if (headers.authorization !== 'Bearer vendor-key') return 'invalid_api_key'
    return method === 'POST' ? rule(body) : undefined
  }

/**
 * The states, `seconds` as a text, and the content for the key only:
 * https://docs.newapi.pro/en/docs/api/ai-model/videos/sora/createvideo and …/getvideocontent
 */
export const newApi: VideoApi = {
  ...shared,
  ...{ name: 'New API', model: 'sora-2' },
  fields: { seconds: '8', size: '1280x720', metadata: { seed: 7 } },
  sent: {
    ...{ model: 'sora-2', prompt: 'A dog', seconds: '8', size: '1280x720' },
    metadata: { seed: 7 },
  },
  words: { queued: 'queued', running: 'in_progress', done: 'completed', failed: 'failed' },
  problem: withKey(({ seconds }) =>
    seconds === undefined || typeof seconds === 'string' ? undefined : 'seconds',
  ),
  createPath: /^\/v1\/videos(\/t\d+\/remix)?$/,
  pollPath: /^\/v1\/videos\/t\d+$/,
  idIn: ({ path }) => path.split('/')[3] ?? '',
  refusal: {
    ...{ status: 400, message: 'The input is against the rules.' },
    json: {
      error: {
        ...{ message: 'The input is against the rules.', type: 'invalid_request_error' },
        ...{ param: '', code: 'sensitive_words_detected' },
      },
    },
  },
  accepted: id => ({ id, task_id: id, object: 'video', model: 'sora-2', status: 'queued' }),
  show: ({ id, word }) => ({
    ...{ id, task_id: id, object: 'video', model: 'sora-2', status: word, progress: 30 },
    ...(word === 'failed' && { error: { code: 'task_failed', message: 'Could not be made.' } }),
  }),
  other: ({ path }, { video }) =>
    /^\/v1\/videos\/t\d+\/content$/.test(path) ? { status: 200, bytes: video } : undefined,
}

/** A channel of the type of gateways, whose address may name the version. */
export const gateway: VideoApi = {
  ...newApi,
  ...{ name: 'a gateway', type: 67, model: 'sora-2-resold', basePath: '/v1' },
  sent: { ...newApi.sent, model: 'sora-2-resold' },
}

/** `duration` as a number; the task stands in `data`: https://docs.newapi.pro/en/docs/api/ai-model/videos/createvideogeneration */
export const olderNewApi: VideoApi = {
  ...shared,
  ...{ name: 'New API, older interface', model: 'kling-v1-old', basePath: '/v1' },
  channel: { plugin: { videos: { older: true } } },
  fields: { seconds: '5', size: '1280x720' },
  sent: { model: 'kling-v1-old', prompt: 'A dog', duration: 5, size: '1280x720' },
  words: { queued: 'NOT_START', running: 'IN_PROGRESS', done: 'SUCCESS', failed: 'FAILURE' },
  problem: withKey(({ duration }) => (Number.isInteger(duration) ? undefined : 'duration')),
  createPath: /^\/v1\/video\/generations$/,
  pollPath: /^\/v1\/video\/generations\/t\d+$/,
  idIn: ({ path }) => path.split('/')[4] ?? '',
  refusal: {
    ...{ status: 400, message: 'The input is against the rules.' },
    json: { code: 'invalid_request', message: 'The input is against the rules.', data: null },
  },
  accepted: id => ({ task_id: id }),
  show: ({ id, word }, { url }) => ({
    ...{ code: 'success', message: '' },
    data: {
      ...{ task_id: id, action: 'generate', status: word, progress: '50%' },
      // Releases before `url` have the result here.
      fail_reason: word === 'SUCCESS' ? `${url}/storage/v.mp4` : '',
    },
  }),
}
