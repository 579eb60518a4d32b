import { generateKeyPairSync, verify } from 'node:crypto'
import {
  type VideoApi,
  type VideoCall,
  type VideoServer,
  type VideoTask,
  wants,
} from './video-api.ts'

const refused = [
  { seconds: '300' },
  { seconds: '3' },
  { size: '100x100' },
  { size: '1000x1000' },
  { metadata: { durationSeconds: 'x' } },
  { metadata: { sampleCount: 4 } },
  { metadata: { storageUri: 'gs://bucket/folder' } },
]
const shared = {
  ...{ unit: 'second_1080p', refused },
  fields: { seconds: '8', size: '1920x1080', metadata: { negativePrompt: 'cats' } },
  sent: {
    instances: [{ prompt: 'A dog' }],
    parameters: {
      ...{ resolution: '1080p', durationSeconds: 8, aspectRatio: '16:9' },
      negativePrompt: 'cats',
    },
  },
  words: { queued: 'queued', running: 'running', done: 'done', failed: 'failed' },
  createPath: /:predictLongRunning$/,
  // https://google.aip.dev/193
  refusal: {
    ...{ status: 400, message: 'The input is against the rules.' },
    json: {
      error: { code: 400, message: 'The input is against the rules.', status: 'INVALID_ARGUMENT' },
    },
  },
}
const metadata = { '@type': 'type.googleapis.com/google.ai.generativelanguage.v1beta.Metadata' }

/** An operation has no words for its states: it is done or not, and then has an error or a response. */
const operationOf = ({ id, word }: VideoTask, response: object) => ({
  name: id,
  metadata: { ...metadata, state: word },
  ...(word === 'done' && { done: true, response }),
  ...(word === 'failed' && { done: true, error: { code: 13, message: 'Could not be made.' } }),
  ...(word === 'filtered' && {
    done: true,
    response: {
      '@type': 'type.googleapis.com/cloud.ai.large_models.vision.GenerateVideoResponse',
      raiMediaFilteredCount: 1,
      raiMediaFilteredReasons: ['The prompt is against the rules.'],
    },
  }),
  ...(word === 'bucket' && {
    done: true,
    response: { videos: [{ gcsUri: 'gs://bucket/folder/v.mp4', mimeType: 'video/mp4' }] },
  }),
})

/**
 * "Note: To download the video, use the -L flag to follow redirects" with the key's header:
 * https://ai.google.dev/gemini-api/docs/video
 */
const gemini: VideoApi = {
  ...shared,
  ...{ name: 'Veo on Gemini', type: 25, model: 'veo-3.1-generate-preview' },
  problem: wants('x-goog-api-key', 'vendor-key'),
  createPath: /^\/v1beta\/models\/veo-3\.1-generate-preview:predictLongRunning$/,
  pollPath: /^\/v1beta\/models\/veo-3\.1-generate-preview\/operations\/\w+$/,
  idIn: ({ path }) => path.slice('/v1beta/'.length),
  idOf: number => `models/veo-3.1-generate-preview/operations/t${number}`,
  accepted: name => ({ name }),
  show: (task, { url }) =>
    operationOf(task, {
      '@type': 'type.googleapis.com/google.ai.generativelanguage.v1beta.PredictLongRunningResponse',
      generateVideoResponse: {
        generatedSamples: [{ video: { uri: `${url}/v1beta/files/v1:download?alt=media` } }],
      },
    }),
  other: ({ path, query }, { url }) =>
    path === '/v1beta/files/v1:download' && query.get('alt') === 'media'
      ? { status: 302, location: `${url}/storage/v.mp4` }
      : undefined,
}

const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
const email = 'hub@my-project.iam.gserviceaccount.com'
const scope = 'https://www.googleapis.com/auth/cloud-platform'

/** A self-signed token has the account as issuer and subject, the scope, and an hour at most: https://google.aip.dev/auth/4111 */
const tokenProblem = ({ headers }: VideoCall): string | undefined => {
  const [head = '', claims = '', signature = ''] = (headers.authorization ?? '')
    .replace(/^Bearer /, '')
    .split('.')
  const isSigned = verify(
    'RSA-SHA256',
    Buffer.from(`${head}.${claims}`),
    publicKey,
    Buffer.from(signature, 'base64url'),
  )
  if (!isSigned) return 'signature'
  const {
    iss,
    sub,
    scope: given,
    iat,
    exp,
  } = JSON.parse(Buffer.from(claims, 'base64url').toString())
  return iss === email && sub === email && given === scope && exp - iat <= 3_600
    ? undefined
    : 'claims'
}

const basePath = '/v1/projects/my-project/locations/us-central1'
const modelPath = `${basePath}/publishers/google/models/veo-3.1-generate-001`

/** https://cloud.google.com/vertex-ai/generative-ai/docs/model-reference/veo-video-generation */
const vertex: VideoApi = {
  ...shared,
  ...{ name: 'Veo on Vertex AI', type: 42, model: 'veo-3.1-generate-001', basePath },
  channel: {
    other: 'us-central1|my-project',
    key: JSON.stringify({
      ...{ type: 'service_account', client_email: email, private_key_id: 'made-up' },
      private_key: privateKey.export({ type: 'pkcs8', format: 'pem' }),
    }),
  },
  problem: tokenProblem,
  createPath: new RegExp(`^${modelPath}:predictLongRunning$`),
  pollPath: new RegExp(`^${modelPath}:fetchPredictOperation$`),
  pollMethod: 'POST',
  idIn: ({ body }) => body.operationName,
  idOf: number => `${modelPath.slice('/v1/'.length)}/operations/t${number}`,
  accepted: name => ({ name }),
  show: (task, { video }: VideoServer) =>
    operationOf(task, {
      '@type': 'type.googleapis.com/cloud.ai.large_models.vision.GenerateVideoResponse',
      raiMediaFilteredCount: 0,
      videos: [{ bytesBase64Encoded: video.toString('base64'), mimeType: 'video/mp4' }],
    }),
}

export const googleApis: readonly VideoApi[] = [gemini, vertex]
