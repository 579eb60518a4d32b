import { type LimitFields, limitNames, pickLimits } from '@hub/contract'

/** The limits of a token or group; undefined where none is set, so that a call without limits checks one field. */
export const limitsOf = (fields: LimitFields): LimitFields | undefined =>
  limitNames.some(each => fields[each] !== null) ? pickLimits(fields) : undefined
