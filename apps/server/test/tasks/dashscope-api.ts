import type { VideoApi, VideoCall } from './video-api.ts'

/**
 * "X-DashScope-Async … must be set to enable. If this header is missing, the error 'current user api does not support
 * synchronous calls' is returned"; durations are integers and resolutions upper case:
 * https://www.alibabacloud.com/help/en/model-studio/text-to-video-api-reference
 */
const problem = ({ method, headers, body }: VideoCall): string | undefined => {
  if (headers.authorization !== 'Bearer vendor-key') return 'InvalidApiKey'
  if (method !== 'POST') return undefined
  if (headers['x-dashscope-async'] !== 'enable') return 'AccessDenied'
  const { duration, resolution } = body.parameters
  return Number.isInteger(duration) && ['720P', '1080P'].includes(resolution)
    ? undefined
    : 'InvalidParameter'
}

export const wan: VideoApi = {
  ...{ name: 'Wan', type: 17, model: 'wan2.7-t2v', unit: 'second_720p' },
  fields: { seconds: '10', size: '720x1280', metadata: { seed: 7, watermark: false } },
  sent: {
    model: 'wan2.7-t2v',
    input: { prompt: 'A dog' },
    parameters: { resolution: '720P', ratio: '9:16', duration: 10, seed: 7, watermark: false },
  },
  refused: [
    ...[{ seconds: '300' }, { size: '100x100' }, { metadata: { duration: 'x' } }],
    ...[{ metadata: { resolution: '8K' } }, { metadata: { media: 'x' } }],
  ],
  words: { queued: 'PENDING', running: 'RUNNING', done: 'SUCCEEDED', failed: 'FAILED' },
  problem,
  createPath: /^\/api\/v1\/services\/aigc\/video-generation\/video-synthesis$/,
  pollPath: /^\/api\/v1\/tasks\/\w+$/,
  idIn: ({ path }) => path.split('/').at(-1) ?? '',
  // https://www.alibabacloud.com/help/en/model-studio/error-code
  refusal: {
    ...{ status: 400, message: 'Input data may contain inappropriate content.' },
    json: {
      ...{ request_id: 'r', code: 'DataInspectionFailed' },
      message: 'Input data may contain inappropriate content.',
    },
  },
  accepted: id => ({ output: { task_status: 'PENDING', task_id: id }, request_id: 'r' }),
  show: ({ id, word }, { url }) => ({
    request_id: 'r',
    output: {
      ...{ task_id: id, task_status: word, submit_time: '2026-11-01 10:00:00.000' },
      ...(word === 'SUCCEEDED' && { orig_prompt: 'A dog', video_url: `${url}/storage/v.mp4` }),
      ...(word === 'FAILED' && { code: 'InvalidParameter', message: 'The size is not match' }),
    },
    ...(word === 'SUCCEEDED' && {
      usage: { duration: 10, output_video_duration: 10, video_count: 1, SR: 720 },
    }),
  }),
}
