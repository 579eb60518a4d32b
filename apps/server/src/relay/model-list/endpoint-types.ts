import { type CallOperation, callOperations, taskOperations } from '@hub/contract/call-operations'
import { type CallerFormat, callerFormats } from '@hub/dialects'
import { type ModelOperation, operationOfModel } from './model-operation.ts'

const formatsOf = (operation: string) => callOperations[operation as CallOperation]?.formats ?? []

/** New API's name for the endpoint of a route; undefined where it has none. */
export const endpointTypeOf = ({
  operation,
  dialect,
}: {
  operation: string
  dialect: CallerFormat
}): string | undefined => {
  if (operation === 'video-create') return taskOperations.videos.newApiName
  // A route may have a variant of the format, which has its id.
  return formatsOf(operation).find(({ format }) => callerFormats[format].id === dialect.id)
    ?.newApiName
}

/** New API's names for the endpoints that serve a model. Those without a name there have that of the operation here. */
export const endpointTypesOf = (model: string): string[] => {
  const operation = operationOfModel(model)
  const names = namesOf(operation)
  return names.length > 0 ? [...new Set(names)] : [operation]
}

const namesOf = (operation: ModelOperation): string[] =>
  operation in taskOperations
    ? [taskOperations[operation as keyof typeof taskOperations].newApiName ?? operation]
    : formatsOf(operation).flatMap(({ newApiName }) => newApiName ?? [])
