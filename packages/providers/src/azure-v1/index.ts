import { apiKey, defineProvider, header, type Path, speak } from '../define.ts'

/** One Hub keeps `preview` or `latest` in the channel's free field; nothing is needed there any more. */
const versioned =
  (path: string): Path =>
  ({ other }) =>
    other ? `${path}?api-version=${encodeURIComponent(other)}` : path

// Addresses, key header, version: https://learn.microsoft.com/azure/ai-foundry/openai/api-version-lifecycle
// The model is the name of a deployment.
export default defineProvider({
  id: 'azure-v1',
  name: 'Azure OpenAI V1',
  type: 55,
  baseUrl: '',
  credential: apiKey(),
  sign: header('api-key'),
  serves: {
    chat: [
      speak('openai-chat', versioned('/openai/v1/chat/completions'), { usageFlag: true }),
      // https://learn.microsoft.com/azure/ai-foundry/openai/how-to/responses, and for making shorter
      // https://learn.microsoft.com/azure/foundry/reference/rest/compactconversation
      speak('openai-responses', versioned('/openai/v1/responses'), {
        keeps: ['answers', 'input', 'background', 'compaction'],
      }),
    ],
    embeddings: [speak('openai-chat', versioned('/openai/v1/embeddings'))],
  },
  links: {
    site: 'https://azure.microsoft.com/products/ai-services/openai-service',
    keys: 'https://portal.azure.com',
    docs: 'https://learn.microsoft.com/azure/ai-foundry/openai/api-version-lifecycle',
  },
  models: '/openai/v1/models',
})
