import {
  apiKey,
  apiKeyHeader,
  defineEndpoint,
  defineProvider,
  type EndpointPath,
  realtimePath,
} from '../define.ts'
import { imageEndpoints } from '../image-endpoints.ts'
import { openaiEndpointRules } from '../openai/model-rules.ts'
import { responsesModels } from '../openai/models.ts'
import { priceFields } from '../openai/price-fields.ts'

/** The newest version without preview: https://learn.microsoft.com/azure/ai-foundry/openai/api-version-lifecycle */
const defaultVersion = '2024-10-21'

const deploymentPath =
  (action: string): EndpointPath =>
  ({ model, other }) => {
    const version = encodeURIComponent(other || defaultVersion)
    return `/openai/deployments/${encodeURIComponent(model)}/${action}?api-version=${version}`
  }

// Address, key header, stream_options: https://learn.microsoft.com/azure/ai-foundry/openai/reference
// One Hub stores the API version in the channel's free field. The model is the name of a deployment.
export default defineProvider({
  id: 'azure',
  telemetryName: 'azure.ai.openai',
  name: 'Azure OpenAI',
  type: 3,
  baseUrl: '',
  // https://learn.microsoft.com/azure/ai-services/cognitive-services-custom-subdomains
  listPriceHosts: /\.(openai|cognitiveservices|services\.ai)\.azure\.com$/,
  freeField: 'api_version',
  credential: apiKey(),
  sign: apiKeyHeader('api-key'),
  priceFields,
  serves: {
    chat: [
      defineEndpoint('openai-chat', deploymentPath('chat/completions'), {
        usageFlag: true,
        modelRules: openaiEndpointRules,
      }),
      // A resource has this address in every API version: https://learn.microsoft.com/azure/ai-foundry/openai/how-to/responses
      defineEndpoint('openai-responses', '/openai/v1/responses', {
        // Older versions of the API refuse it in chats.
        promptCacheKey: { field: 'prompt_cache_key' },
        onlyModels: responsesModels,
        requiredForTools: responsesModels,
        modelRules: openaiEndpointRules,
      }),
    ],
    embeddings: [defineEndpoint('openai-chat', deploymentPath('embeddings'))],
    completions: [defineEndpoint('openai', deploymentPath('completions'))],
    images: imageEndpoints(deploymentPath('images/generations')),
    speech: [defineEndpoint('openai', deploymentPath('audio/speech'))],
    // https://learn.microsoft.com/azure/ai-foundry/openai/how-to/dall-e
    'image-edits': imageEndpoints(deploymentPath('images/edits')),
    transcriptions: [defineEndpoint('openai', deploymentPath('audio/transcriptions'))],
    translations: [defineEndpoint('openai', deploymentPath('audio/translations'))],
    // https://learn.microsoft.com/azure/foundry/openai/how-to/realtime-audio-websockets
    realtime: [defineEndpoint('openai', realtimePath('/openai/v1/realtime'))],
  },
  links: {
    site: 'https://azure.microsoft.com/products/ai-services/openai-service',
    keys: 'https://portal.azure.com',
    docs: 'https://learn.microsoft.com/azure/ai-foundry/openai/reference',
  },
  // The path of One Hub. Later API versions do not list deployments.
  modelListPath: '/openai/deployments?api-version=2023-03-15-preview',
})
