import { apiKey, defineProvider } from '../define.ts'
import { midjourneyModels } from './actions.ts'
import { tasks } from './tasks.ts'

const actions = [
  ...['IMAGINE', 'VARIATION', 'HIGH_VARIATION', 'LOW_VARIATION', 'UPSCALE', 'REROLL', 'BLEND'],
  ...['DESCRIBE', 'SHORTEN', 'MODAL', 'ZOOM', 'CUSTOM_ZOOM', 'PAN', 'INPAINT', 'SWAP_FACE'],
  ...['UPLOAD', 'EDITS', 'VIDEO'],
]

// Midjourney has no API. The upstream is a proxy of the operator's, which answers as this one documents:
// https://github.com/novicezk/midjourney-proxy/blob/main/docs/api.md
export default defineProvider({
  id: 'midjourney',
  name: 'Midjourney',
  type: 34,
  baseUrl: '',
  credential: apiKey(),
  sign: (_context, credential) => ({ headers: { 'mj-api-secret': credential }, query: {} }),
  serves: {},
  tasks,
  links: { docs: 'https://github.com/novicezk/midjourney-proxy' },
  defaultModels: actions.map(each => midjourneyModels(each, 'fast')[0]!),
  keyHint: 'mj-api-secret',
})
