import {
  type CallOperation,
  callOperations,
  type TaskOperation,
  taskOperations,
} from '@hub/contract/call-operations'

export type ModelOperation = CallOperation | TaskOperation

const rows = Object.entries({ ...callOperations, ...taskOperations })

/** Only a model's name tells its operation, as in One Hub. */
const patterns = rows
  .flatMap(([id, { models }]) => (models ? [{ ...models, id: id as ModelOperation }] : []))
  .sort((one, other) => one.rank - other.rank)

/** Guesses the operation of a model by its name, for model lists and channel tests. */
export const operationOfModel = (model: string): ModelOperation =>
  patterns.find(({ pattern }) => pattern.test(model))?.id ?? 'chat'
