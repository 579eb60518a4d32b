import { readReasoningRequest } from '../json/reasoning-request.ts'
import { findModel } from '../models/find.ts'
import type { ParsedRequest } from '../parsed-request.ts'

/** True where the upstream may make output that is charged and that a stream does not show while it is made. */
export const hidesReasoning = (
  parsed: Pick<ParsedRequest, 'body' | 'fieldRanges'>,
  upstreamModel: string,
): boolean => {
  const reasoning = findModel(upstreamModel)?.reasoning
  if (reasoning === 'shown') return false
  const request = readReasoningRequest(parsed)
  return request === 'on' || (request === 'unset' && reasoning === 'hidden')
}
