import { apiKey, bearer, defineProvider } from '../define.ts'
import { priceFields } from './price-fields.ts'
import { tasks } from './tasks.ts'

// Address and key: https://www.volcengine.com/docs/82379/1520757
export default defineProvider({
  id: 'volcengine',
  name: 'Volcengine Ark 火山方舟 (Seedance)',
  type: 65,
  baseUrl: 'https://ark.cn-beijing.volces.com',
  // https://www.volcengine.com/docs/82379/1928262
  ownHosts: /^ark\.[\w-]+\.(volces|bytepluses)\.com$/,
  addressPresets: [{ name: 'BytePlus', baseUrl: 'https://ark.ap-southeast.bytepluses.com' }],
  credential: apiKey(),
  sign: bearer,
  priceFields,
  serves: {},
  tasks,
  links: {
    site: 'https://www.volcengine.com/product/ark',
    keys: 'https://console.volcengine.com/ark/region:ark+cn-beijing/apiKey',
    docs: 'https://www.volcengine.com/docs/82379/1520757',
  },
  defaultModels: ['doubao-seedance-1-5-pro-251215', 'doubao-seedance-1-0-pro-250528'],
})
