import type { ReasoningRequest } from '../json/reasoning-request.ts'
import { findModel } from '../models/find.ts'

/** True where the upstream may make output that is charged and that a stream does not show while it is made. */
export const hidesReasoning = (request: ReasoningRequest, upstreamModel: string): boolean => {
  const reasoning = findModel(upstreamModel)?.reasoning
  if (reasoning === 'shown') return false
  return request === 'on' || (request === 'unset' && reasoning === 'hidden')
}
