import { apiKey, bearer, defineProvider } from '../define.ts'
import { tasks } from './tasks.ts'

// A Suno-API server, which the operator runs or buys; Suno itself has no public API.
export default defineProvider({
  id: 'suno',
  name: 'Suno',
  type: 41,
  baseUrl: '',
  credential: apiKey(),
  sign: bearer,
  serves: {},
  tasks,
  // Names as One Hub's price list has them.
  defaultModels: ['suno_lyrics', 'chirp-v3-0', 'chirp-v3-5'],
})
