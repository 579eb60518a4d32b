import { type VideoApi, wants } from './video-api.ts'

/** The words of a refusal. */
const message = 'The input is against the rules.'

const refused = [{ seconds: '300' }, { size: '100x100' }, { metadata: { duration: 'x' } }]

export const bearerApis: readonly VideoApi[] = [
  {
    // https://platform.vidu.com/docs/text-to-video, https://platform.vidu.com/docs/get-generation
    ...{ name: 'Vidu', type: 64, model: 'viduq2', unit: 'second_720p' },
    fields: { seconds: '8', size: '1280x720' },
    sent: { duration: 8, resolution: '720p', aspect_ratio: '16:9', prompt: 'A dog' },
    words: { queued: 'queueing', running: 'processing', done: 'success', failed: 'failed' },
    problem: wants('authorization', 'Token vendor-key'),
    refused,
    createPath: /^\/ent\/v2\/text2video$/,
    pollPath: /^\/ent\/v2\/tasks\/\w+\/creations$/,
    idIn: ({ path }) => path.split('/')[4] ?? '',
    accepted: id => ({ task_id: id, state: 'created', credits: 4 }),
    // https://platform.vidu.com/docs/error-codes
    refusal: {
      ...{ status: 400, message },
      json: { code: 400, reason: 'AuditSubmitIllegal', message, metadata: {} },
    },
    show: ({ id, word }, { url }) => ({
      ...{ id, state: word, err_code: word === 'failed' ? 'CreationPolicyViolation' : '' },
      creations:
        word === 'success' ? [{ id: 'c', url: `${url}/storage/v.mp4`, cover_url: '' }] : [],
    }),
  },
  {
    // https://platform.minimax.io/docs/api-reference/video-generation-t2v, …-query and …-download
    ...{ name: 'Hailuo', type: 27, model: 'MiniMax-Hailuo-02', unit: 'second_768p' },
    fields: { seconds: '10' },
    sent: { model: 'MiniMax-Hailuo-02', prompt: 'A dog', duration: 10, resolution: '768P' },
    words: { queued: 'Queueing', running: 'Processing', done: 'Success', failed: 'Fail' },
    problem: wants('authorization', 'Bearer vendor-key'),
    refused,
    createPath: /^\/v1\/video_generation$/,
    pollPath: /^\/v1\/query\/video_generation\?/,
    idIn: ({ query }) => query.get('task_id') ?? '',
    accepted: id => ({ task_id: id, base_resp: { status_code: 0, status_msg: 'success' } }),
    // An error has status 200: https://platform.minimax.io/docs/api-reference/errorcode
    refusal: {
      ...{ status: 200, message },
      json: { task_id: '', base_resp: { status_code: 1026, status_msg: message } },
    },
    show: ({ id, word }) => ({
      ...{ task_id: id, status: word, file_id: word === 'Success' ? '2051' : '' },
      base_resp: { status_code: 0, status_msg: 'success' },
    }),
    other: ({ path, query }, { url }) =>
      path === '/v1/files/retrieve' && query.get('file_id') === '2051'
        ? {
            status: 200,
            json: {
              file: { file_id: 2051, download_url: `${url}/storage/v.mp4` },
              base_resp: { status_code: 0 },
            },
          }
        : undefined,
  },
  {
    // https://www.volcengine.com/docs/82379/1520757, https://www.volcengine.com/docs/82379/1521309, …/1521720 (cancel)
    ...{
      name: 'Seedance',
      type: 65,
      model: 'doubao-seedance-1-0-pro-250528',
      unit: 'second_1080p',
    },
    fields: { seconds: '5', size: '1080x1920' },
    sent: {
      ...{
        resolution: '1080p',
        duration: 5,
        ratio: '9:16',
        content: [{ type: 'text', text: 'A dog' }],
      },
    },
    words: { queued: 'queued', running: 'running', done: 'succeeded', failed: 'failed' },
    problem: wants('authorization', 'Bearer vendor-key'),
    refused,
    createPath: /^\/api\/v3\/contents\/generations\/tasks$/,
    pollPath: /^\/api\/v3\/contents\/generations\/tasks\/\w+$/,
    idIn: ({ path }) => path.split('/').at(-1) ?? '',
    remove: (task, forget) => {
      // queued: removed from the queue, cancelled; running, cancelled: refused; succeeded, failed: the record is deleted.
      if (['running', 'cancelled'].includes(task.word)) return false
      if (task.word === 'queued') task.word = 'cancelled'
      else forget()
      return true
    },
    accepted: id => ({ id }),
    // https://www.volcengine.com/docs/82379/1299023
    refusal: {
      ...{ status: 400, message },
      json: { error: { code: 'InputTextSensitiveContentDetected', message, type: 'BadRequest' } },
    },
    show: ({ id, word, body }, { url }) => ({
      ...{ id, model: body.model, status: word, error: null },
      ...(word === 'failed' && { error: { code: 'SensitiveContent', message: 'Not allowed.' } }),
      ...(word === 'succeeded' && {
        content: { video_url: `${url}/storage/v.mp4` },
        usage: { completion_tokens: 246_840, total_tokens: 246_840 },
      }),
    }),
  },
]
