import { z } from 'zod'
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
import { storageSwitches } from '../stored-resources.ts'

/** One Hub stores `preview` or `latest` in the channel's free field. The API no longer needs either. */
const versioned =
  (path: string): EndpointPath =>
  ({ other }) =>
    other ? `${path}?api-version=${encodeURIComponent(other)}` : path

// Addresses, key header, version: https://learn.microsoft.com/azure/ai-foundry/openai/api-version-lifecycle
// The model is the name of a deployment.
export default defineProvider({
  id: 'azure-v1',
  telemetryName: 'azure.ai.openai',
  name: 'Azure OpenAI V1',
  type: 55,
  baseUrl: '',
  // https://learn.microsoft.com/azure/ai-services/cognitive-services-custom-subdomains
  listPriceHosts: /\.(openai|cognitiveservices|services\.ai)\.azure\.com$/,
  freeField: 'api_version',
  credential: apiKey(),
  sign: apiKeyHeader('api-key'),
  serves: {
    chat: [
      defineEndpoint('openai-chat', versioned('/openai/v1/chat/completions'), {
        promptCacheKey: { field: 'prompt_cache_key' },
        usageFlag: true,
        modelRules: openaiEndpointRules,
      }),
      // https://learn.microsoft.com/azure/ai-foundry/openai/how-to/responses, and for compaction
      // https://learn.microsoft.com/azure/foundry/reference/rest/compactconversation
      defineEndpoint('openai-responses', versioned('/openai/v1/responses'), {
        promptCacheKey: { field: 'prompt_cache_key' },
        requiredForTools: responsesModels,
        storedResponses: ['answers', 'input', 'background', 'compaction'],
        modelRules: openaiEndpointRules,
      }),
    ],
    embeddings: [defineEndpoint('openai-chat', versioned('/openai/v1/embeddings'))],
    completions: [defineEndpoint('openai', versioned('/openai/v1/completions'))],
    images: imageEndpoints(versioned('/openai/v1/images/generations')),
    speech: [defineEndpoint('openai', versioned('/openai/v1/audio/speech'))],
    'image-edits': imageEndpoints(versioned('/openai/v1/images/edits')),
    transcriptions: [defineEndpoint('openai', versioned('/openai/v1/audio/transcriptions'))],
    translations: [defineEndpoint('openai', versioned('/openai/v1/audio/translations'))],
    // https://learn.microsoft.com/azure/foundry/openai/how-to/realtime-audio-websockets
    realtime: [defineEndpoint('openai', realtimePath('/openai/v1/realtime'))],
  },
  // https://learn.microsoft.com/azure/foundry/openai/how-to/batch
  stores: {
    api: 'openai',
    // https://learn.microsoft.com/azure/foundry/openai/how-to/batch
    batchPriceRatio: '0.5',
    paths: {
      files: versioned('/openai/v1/files'),
      uploads: versioned('/openai/v1/uploads'),
      batches: versioned('/openai/v1/batches'),
      'vector-stores': versioned('/openai/v1/vector_stores'),
    },
  },
  options: z.object(storageSwitches),
  links: {
    site: 'https://azure.microsoft.com/products/ai-services/openai-service',
    keys: 'https://portal.azure.com',
    docs: 'https://learn.microsoft.com/azure/ai-foundry/openai/api-version-lifecycle',
  },
  modelListPath: '/openai/v1/models',
})
