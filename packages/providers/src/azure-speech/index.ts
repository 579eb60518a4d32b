import { apiKey, apiKeyHeader, defineEndpoint, defineProvider } from '../define.ts'
import { options, speech } from './speech.ts'

// Address, key header, headers: https://learn.microsoft.com/azure/ai-services/speech-service/rest-text-to-speech
// One Hub stores the region in the channel's free field.
export default defineProvider({
  id: 'azure-speech',
  name: 'Azure Speech',
  type: 24,
  baseUrl: 'https://{region}.tts.speech.microsoft.com',
  freeField: 'region',
  placeholders: ({ other }) => ({ region: other.trim() }),
  credential: apiKey(),
  sign: apiKeyHeader('ocp-apim-subscription-key'),
  serves: {
    speech: [defineEndpoint('vendor', '/cognitiveservices/v1', { translation: speech })],
  },
  options,
  links: {
    site: 'https://azure.microsoft.com/products/ai-services/ai-speech',
    keys: 'https://portal.azure.com',
    docs: 'https://learn.microsoft.com/azure/ai-services/speech-service/rest-text-to-speech',
  },
  // One Hub's names. The voice decides what is heard; a mapping may give the model any name.
  defaultModels: ['tts-1', 'tts-1-hd'],
  testModel: 'tts-1',
  errorRules: [],
})
