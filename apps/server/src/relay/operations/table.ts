import { type CallOperation, callOperationIds, callOperations } from '@hub/contract/call-operations'
import { callerFormats } from '@hub/dialects'
import { translateEmbeddings } from '../translate/operations/embeddings.ts'
import { chat } from './chat.ts'
import { makeFormatOperation, makeOperation } from './make-operation.ts'
import type { Operation } from './operation.ts'

/** The operations of HTTP. Sessions of the others take a socket. */
export type PostedOperation = Exclude<CallOperation, 'realtime'>

/** Operations with a canon, or with stored state. */
const special: Partial<Record<PostedOperation, Operation>> = {
  chat,
  embeddings: makeOperation('embeddings', translateEmbeddings),
}

/** An operation that differs from others in the formats of its row only. */
const makePlain = (id: PostedOperation): Operation => {
  const { formats, forms } = callOperations[id]
  return {
    ...makeFormatOperation(id, callerFormats[formats[0]!.format]),
    ...(forms && { forms }),
  }
}

export const operations = Object.fromEntries(
  callOperationIds.filter(id => id !== 'realtime').map(id => [id, special[id] ?? makePlain(id)]),
) as Record<PostedOperation, Operation>

export const isPosted = (id: string): id is PostedOperation => Object.hasOwn(operations, id)
