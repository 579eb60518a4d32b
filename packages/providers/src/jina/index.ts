import { apiKey, bearer, defineEndpoint, defineProvider } from '../define.ts'
import { drop, rename } from '../quirks.ts'

// Address, key, fields, models: https://jina.ai/reranker and https://api.jina.ai/redoc
export default defineProvider({
  id: 'jina',
  name: 'Jina',
  type: 47,
  baseUrl: 'https://api.jina.ai',
  credential: apiKey(),
  sign: bearer,
  serves: {
    // https://api.jina.ai/openapi.json
    embeddings: [
      defineEndpoint('openai-chat', '/v1/embeddings', {
        quirks: [drop(['user']), rename('encoding_format', 'embedding_type')],
      }),
    ],
    rerank: [defineEndpoint('jina', '/v1/rerank')],
  },
  links: {
    site: 'https://jina.ai',
    keys: 'https://jina.ai/api-dashboard',
    docs: 'https://api.jina.ai/redoc',
  },
  defaultModels: [
    'jina-embeddings-v4',
    'jina-embeddings-v3',
    'jina-reranker-v3',
    'jina-reranker-m0',
    'jina-reranker-v2-base-multilingual',
  ],
  testModel: 'jina-reranker-v2-base-multilingual',
  errorRules: [{ status: 402, fault: 'upstream.funds', channel: 'disable' }],
})
