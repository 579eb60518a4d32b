import { randomBytes } from 'node:crypto'
import type { ParsedRequest } from '@hub/dialects'
import type { Endpoint } from '@hub/providers'
import type { App } from '../../../core/app.ts'
import type { RoutingTarget } from '../../context.ts'
import type { LocalResponse } from '../../translate/translation.ts'

type Planned = { parsed: ParsedRequest; target: RoutingTarget; endpoint: Endpoint }

/**
 * Decides whether the gateway gives the response its own id: it stores the response itself, or the call continues one
 * that it stores. Undefined where the vendor stores it, or nobody does.
 */
export const localResponseFor = (
  app: App,
  { parsed, target, endpoint }: Planned,
): LocalResponse | undefined => {
  const { state } = parsed
  if (!state || target.pathSuffix !== undefined || state.background) return undefined
  const store = state.store && app.settings().responses.KeepResponsesEnabled
  const { continuation } = target
  if (!continuation) {
    const isVendors =
      endpoint.storedResponses?.includes('answers') || state.conversationId !== undefined
    if (!store || isVendors) return undefined
  }
  return {
    id: `resp_${randomBytes(24).toString('hex')}`,
    previous: continuation?.previous,
    store,
  }
}
