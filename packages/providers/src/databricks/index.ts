import { apiKey, bearer, defineEndpoint, defineProvider } from '../define.ts'
import { drop, rename, roleAs } from '../quirks.ts'

type Endpoints = { endpoints?: { name?: string; task?: string }[] }

// Addresses for OpenAI's and Anthropic's clients, Bearer. The model is the name of a serving endpoint:
// https://docs.databricks.com/aws/en/machine-learning/model-serving/query-chat-models
// Roles, max_tokens, usage without a flag: https://docs.databricks.com/aws/en/machine-learning/foundation-model-apis/api-reference
// One Hub calls /serving-endpoints/{model}/invocations, the same service with the model in the path.
export default defineProvider({
  id: 'databricks',
  name: 'Azure Databricks',
  type: 54,
  baseUrl: '',
  credential: apiKey(),
  sign: bearer,
  serves: {
    chat: [
      defineEndpoint('openai-chat', '/serving-endpoints/chat/completions', {
        quirks: [
          drop(['stream_options']),
          rename('max_completion_tokens', 'max_tokens'),
          roleAs('developer', 'system'),
        ],
      }),
      // https://docs.databricks.com/aws/en/machine-learning/model-serving/query-anthropic-messages
      defineEndpoint('anthropic', '/serving-endpoints/anthropic/v1/messages', {
        onlyModels: /claude/,
      }),
    ],
    // https://docs.databricks.com/aws/machine-learning/model-serving/query-embedding-models
    embeddings: [defineEndpoint('openai-chat', '/serving-endpoints/embeddings')],
  },
  links: {
    site: 'https://www.databricks.com',
    keys: 'https://docs.databricks.com/aws/en/dev-tools/auth/pat',
    docs: 'https://docs.databricks.com/aws/en/machine-learning/foundation-model-apis/api-reference',
  },
  defaultModels: [
    'databricks-claude-opus-5-5',
    'databricks-claude-sonnet-5-5',
    'databricks-claude-haiku-5-5',
  ],
  testModel: 'databricks-claude-haiku-5-5',
  keyHint: 'Databricks token',
  // https://docs.databricks.com/api/workspace/servingendpoints/list
  modelListPath: '/api/2.0/serving-endpoints',
  readModelIds: list =>
    ((list as Endpoints).endpoints ?? [])
      .filter(each => /^llm\/v1\/(chat|embeddings)$/.test(each.task ?? ''))
      .map(each => each.name ?? ''),
})
