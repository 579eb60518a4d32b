import { apiKey, defineProvider } from '../define.ts'
import { tasks } from './tasks.ts'

// Address and key: https://platform.vidu.com/docs/text-to-video
export default defineProvider({
  id: 'vidu',
  name: 'Vidu',
  type: 64,
  baseUrl: 'https://api.vidu.com',
  addressPresets: [{ name: 'China', baseUrl: 'https://api.vidu.cn' }],
  credential: apiKey(),
  sign: (_context, credential) => ({
    headers: { authorization: `Token ${credential}` },
    query: {},
  }),
  serves: {},
  tasks,
  links: {
    site: 'https://www.vidu.com',
    keys: 'https://platform.vidu.com/api-keys',
    docs: 'https://platform.vidu.com/docs/text-to-video',
  },
  defaultModels: ['viduq3-pro', 'viduq3-turbo', 'viduq2', 'viduq1'],
})
