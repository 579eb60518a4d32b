import { defineProvider, secret } from '../define.ts'
import { signVisual } from './sign.ts'
import { tasks } from './tasks.ts'

// Address, key and errors: https://www.volcengine.com/docs/85621/1792710
export default defineProvider({
  id: 'jimeng',
  name: 'Jimeng 即梦 (Volcengine)',
  type: 66,
  baseUrl: 'https://visual.volcengineapi.com',
  credential: secret()
    .regex(/^[^|]+\|[^|]+$/)
    .meta({ secret: true, label: 'accessKey|secretKey' }),
  sign: signVisual,
  serves: {},
  tasks,
  links: {
    site: 'https://www.volcengine.com/product/jimeng',
    keys: 'https://console.volcengine.com/iam/keymanage',
    docs: 'https://www.volcengine.com/docs/85621/1792710',
  },
  defaultModels: ['jimeng_v30_pro', 'jimeng_v30_1080p', 'jimeng_v30'],
  keyHint: 'accessKey|secretKey',
  errorRules: [
    // Requests per second and at a time: https://www.volcengine.com/docs/85621/1792710
    { match: /\b(50429|50430)$/, fault: 'upstream.busy' },
  ],
})
