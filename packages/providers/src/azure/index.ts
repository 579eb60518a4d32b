import { apiKey, defineProvider, header, type Path, speak } from '../define.ts'

/** The newest that is no preview: https://learn.microsoft.com/azure/ai-foundry/openai/api-version-lifecycle */
const newest = '2024-10-21'

const deployed =
  (action: string): Path =>
  ({ model, other }) => {
    const version = encodeURIComponent(other || newest)
    return `/openai/deployments/${encodeURIComponent(model)}/${action}?api-version=${version}`
  }

// Address, key header, stream_options: https://learn.microsoft.com/azure/ai-foundry/openai/reference
// One Hub keeps the version of the API in the channel's free field. The model is the name of a deployment.
export default defineProvider({
  id: 'azure',
  name: 'Azure OpenAI',
  type: 3,
  baseUrl: '',
  credential: apiKey(),
  sign: header('api-key'),
  serves: {
    chat: [speak('openai-chat', deployed('chat/completions'), { usageFlag: true })],
    embeddings: [speak('openai-chat', deployed('embeddings'))],
  },
  links: {
    site: 'https://azure.microsoft.com/products/ai-services/openai-service',
    keys: 'https://portal.azure.com',
    docs: 'https://learn.microsoft.com/azure/ai-foundry/openai/reference',
  },
  // One Hub's; later versions do not list deployments.
  models: '/openai/deployments?api-version=2023-03-15-preview',
})
