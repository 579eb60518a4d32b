import { Fault, type FaultCode } from '@hub/contract'
import type { Unreadable } from '@hub/dialects'

const codes: Record<Unreadable['reason'], FaultCode> = {
  unreadable: 'request.unreadable',
  invalid: 'request.invalid',
  ambiguous: 'request.ambiguous',
  'too-deep': 'request.too_deep',
}

/** The fault for a body that a dialect cannot read. */
export const unreadableFault = ({ reason: why, hint }: Unreadable): Fault =>
  new Fault(codes[why], { hint })
