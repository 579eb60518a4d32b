import { anthropic } from '@hub/dialects'
import type { Route } from '../../relay/formats/route.ts'
import { createBatch } from '../batches/create.ts'
import { sendResults, showBatch } from '../batches/show.ts'
import { removeObject } from '../forward.ts'
import { listObjects } from '../list.ts'
import { type ResourceHandler, resourceRoutesOf } from '../resource-route.ts'

const routeOf = resourceRoutesOf('anthropic', anthropic)

/** https://platform.claude.com/docs/en/build-with-claude/batch-processing */
const batchesAt = (prefix: string): Route[] => {
  const batches = (method: Route['method'], path: string, handler: ResourceHandler): Route =>
    routeOf(prefix, {
      ...{ kind: 'message-batches', method, path: `/messages/batches${path}`, handler },
    })
  return [
    batches('POST', '', createBatch),
    batches('GET', '', listObjects),
    batches('GET', '/:id', showBatch),
    batches('DELETE', '/:id', removeObject),
    batches('POST', '/:id/cancel', showBatch),
    batches('GET', '/:id/results', sendResults),
  ]
}

export const anthropicObjects: readonly Route[] = [
  ...['/v1', '/claude/v1', '/anthropic/v1'].flatMap(batchesAt),
]
