import type { Dialect } from '@hub/dialects'

/** The vendor's id of an answer as clients of the caller's dialect expect it. */
export const answerIdFor = ({ answerIdPrefix = '' }: Dialect, id: string): string =>
  id.startsWith(answerIdPrefix) ? id : answerIdPrefix + id
