import { createHash, createHmac } from 'node:crypto'
import type { VideoApi, VideoCall } from './video-api.ts'

const [accessKey, secretKey] = ['access-one', 'secret-one-0123456789']

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex')
const hmac = (key: string | Buffer, text: string) => createHmac('sha256', key).update(text).digest()

const form =
  /^HMAC-SHA256 Credential=([^/]+)\/(\d{8})\/cn-north-1\/cv\/request, SignedHeaders=([\w;-]+), Signature=(\w{64})$/

/**
 * Recomputes the signature from the request as it arrived. "host, x-date and x-content-sha256 must be signed, and
 * content-type where it is sent": https://www.volcengine.com/docs/6369/67269
 */
const signatureProblem = ({ method, path, query, headers, text }: VideoCall) => {
  const [, id, day = '', names = '', signature] = form.exec(headers.authorization ?? '') ?? []
  if (id !== accessKey) return 'InvalidAccessKey'
  const date = String(headers['x-date'])
  if (!/^\d{8}T\d{6}Z$/.test(date) || !date.startsWith(day)) return 'InvalidDate'
  const needed = ['content-type', 'host', 'x-content-sha256', 'x-date']
  if (names !== needed.join(';')) return 'InvalidSignedHeaders'
  if (headers['x-content-sha256'] !== sha256(text)) return 'InvalidContentSha256'
  query.sort()
  const canonical = `${method}\n${path}\n${query}\n${needed.map(name => `${name}:${headers[name]}\n`).join('')}\n${names}\n${sha256(text)}`
  const scope = `${day}/cn-north-1/cv/request`
  const signingKey = hmac(hmac(hmac(hmac(secretKey!, day), 'cn-north-1'), 'cv'), 'request')
  const toSign = `HMAC-SHA256\n${date}\n${scope}\n${sha256(canonical)}`
  return hmac(signingKey, toSign).toString('hex') === signature
    ? undefined
    : 'SignatureDoesNotMatch'
}

const answer = (data: object) => ({
  ...{ code: 10_000, data, message: 'Success', request_id: 'r' },
  ...{ status: 10_000, time_elapsed: '23.09ms' },
})

/** https://www.volcengine.com/docs/85621/1792711: frames are 121 or 241, and a task is asked for with its `req_key`. */
export const jimeng: VideoApi = {
  ...{ name: 'Jimeng', type: 66, model: 'jimeng_v30_1080p', unit: 'second_1080p' },
  channel: { key: `${accessKey}|${secretKey}` },
  fields: { seconds: '10', size: '1080x1920' },
  sent: { req_key: 'jimeng_t2v_v30_1080p', prompt: 'A dog', frames: 241, aspect_ratio: '9:16' },
  refused: [
    ...[{ seconds: '300' }, { seconds: '7' }, { size: '100x100' }, { size: '720x1280' }],
    ...[{ metadata: { frames: 'x' } }, { metadata: { image_urls: 'x' } }],
  ],
  words: { queued: 'in_queue', running: 'generating', done: 'done', failed: 'expired' },
  problem: signatureProblem,
  createPath: /^\/\?Action=CVSync2AsyncSubmitTask&Version=2022-08-31$/,
  pollPath: /^\/\?Action=CVSync2AsyncGetResult&Version=2022-08-31$/,
  pollMethod: 'POST',
  idIn: ({ body }) => (body.req_key === 'jimeng_t2v_v30_1080p' ? body.task_id : ''),
  // https://www.volcengine.com/docs/85621/1792711, its table of errors
  refusal: {
    ...{ status: 400, message: 'Text Risk Not Pass' },
    json: {
      code: 50_412,
      data: null,
      message: 'Text Risk Not Pass',
      request_id: 'r',
      status: 50_412,
    },
  },
  accepted: id => answer({ task_id: id }),
  show: ({ word }, { url }) =>
    answer({
      ...{ binary_data_base64: [], image_urls: null, resp_data: '', status: word },
      video_url: word === 'done' ? `${url}/storage/v.mp4` : '',
    }),
}
