import { type CallerDialectId, type CallerFormat, isDialect } from '@hub/dialects'
import { operationOfModel } from './model-operation.ts'

/** New API's names for the chat dialects. */
const chatTypes: Readonly<Record<CallerDialectId, string>> = {
  'openai-chat': 'openai',
  'openai-responses': 'openai-response',
  anthropic: 'anthropic',
  gemini: 'gemini',
}

/** New API's name for the endpoint of a route; undefined where it has none. */
export const endpointTypeOf = ({
  operation,
  dialect,
}: {
  operation: string
  dialect: CallerFormat
}): string | undefined => {
  if (operation === 'embeddings') return dialect.id === 'gemini' ? undefined : 'embeddings'
  return operation === 'chat' && isDialect(dialect) ? chatTypes[dialect.id] : undefined
}

/** New API's names for the endpoints that serve a model. */
export const endpointTypesOf = (model: string): string[] =>
  operationOfModel(model) === 'embeddings' ? ['embeddings'] : Object.values(chatTypes)
