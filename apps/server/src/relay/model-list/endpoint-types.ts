import { type CallerDialectId, type CallerFormat, isDialect } from '@hub/dialects'
import { type ModelOperation, operationOfModel } from './model-operation.ts'

/** New API's names for the chat dialects. */
const chatTypes: Readonly<Record<CallerDialectId, string>> = {
  'openai-chat': 'openai',
  'openai-responses': 'openai-response',
  anthropic: 'anthropic',
  gemini: 'gemini',
}

/** New API's names for other operations. Those without a name there have that of the operation here. */
const operationTypes: Partial<Record<ModelOperation, string>> = {
  embeddings: 'embeddings',
  rerank: 'jina-rerank',
  images: 'image-generation',
  videos: 'openai-video',
}

/** New API's name for the endpoint of a route; undefined where it has none. */
export const endpointTypeOf = ({
  operation,
  dialect,
}: {
  operation: string
  dialect: CallerFormat
}): string | undefined => {
  if (operation === 'chat') return isDialect(dialect) ? chatTypes[dialect.id] : undefined
  if (operation === 'video-create') return operationTypes.videos
  return dialect.id === 'gemini' ? undefined : operationTypes[operation as ModelOperation]
}

/** New API's names for the endpoints that serve a model. */
export const endpointTypesOf = (model: string): string[] =>
  typesOfOperation(operationOfModel(model))

const typesOfOperation = (operation: ModelOperation): string[] =>
  operation === 'chat' ? Object.values(chatTypes) : [operationTypes[operation] ?? operation]
