import { batchApiOf, type StoredObject } from '@hub/providers'
import type { RequestContext } from '../../relay/context.ts'
import { originOf } from '../../relay/request/origin.ts'

type BatchState = { kind: string; isCharged: boolean }

/** A batch as its caller may see it: its results exist for the caller only once they are charged. */
export const presentBatch = (
  context: RequestContext,
  { kind, isCharged }: BatchState,
  object: StoredObject,
): StoredObject => {
  const api = batchApiOf(kind)
  if (api.isEnded(object) && !isCharged) return api.asRunning(object)
  return typeof object.results_url === 'string'
    ? { ...object, results_url: `${originOf(context)}${pathOf(context, object.id)}/results` }
    : object
}

const pathOf = ({ path }: RequestContext, id: string): string =>
  `${path.slice(0, path.indexOf('/batches'))}/batches/${id}`
