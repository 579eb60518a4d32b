import { createHmac } from 'node:crypto'
import { bearer, defineProvider, secret } from '../define.ts'
import type { Sign } from '../signing.ts'
import { tasks } from './tasks.ts'

const base64 = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url')

/**
 * A key is `accessKey|secretKey`, of which each request gets a token of half an hour, or a ready token.
 * https://app.klingai.com/global/dev/document-api/apiReference/commonInfo
 */
const sign: Sign = (context, credential) => {
  const [accessKey, secretKey] = credential.split('|')
  if (!secretKey) return bearer(context, credential)
  const now = Math.floor(context.now() / 1_000)
  const claims = { iss: accessKey, exp: now + 1_800, nbf: now - 5 }
  const content = `${base64({ alg: 'HS256', typ: 'JWT' })}.${base64(claims)}`
  const signature = createHmac('sha256', secretKey).update(content).digest('base64url')
  return bearer(context, `${content}.${signature}`)
}

// Names as One Hub's price list has them.
const pricedModels = ['kling-v1', 'kling-v1-5', 'kling-v1-6'].flatMap(model =>
  ['std', 'pro'].flatMap(mode => ['5', '10'].map(each => `kling-video_${model}_${mode}_${each}`)),
)

export default defineProvider({
  id: 'kling',
  name: 'Kling',
  type: 53,
  baseUrl: 'https://api.klingai.com',
  addressPresets: [
    { name: 'Singapore', baseUrl: 'https://api-singapore.klingai.com' },
    { name: 'Beijing', baseUrl: 'https://api-beijing.klingai.com' },
  ],
  credential: secret()
    .regex(/^[^|]+(\|[^|]+)?$/)
    .meta({ secret: true, label: 'accessKey|secretKey, or a token' }),
  sign,
  serves: {},
  tasks,
  // https://app.klingai.com/global/dev/document-api/apiReference/model/textToVideo
  taskListPath: '/v1/videos/text2video?pageNum=1&pageSize=1',
  links: {
    site: 'https://klingai.com',
    keys: 'https://app.klingai.com/global/dev/api-key',
    docs: 'https://app.klingai.com/global/dev/document-api',
  },
  defaultModels: [...pricedModels, 'kling-v2-1', 'kling-v2-5-turbo', 'kling-v3'],
  keyHint: 'accessKey|secretKey',
})
