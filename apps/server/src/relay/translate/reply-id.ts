import type { Dialect } from '@hub/dialects'

/** The vendor's id of an answer as clients of the caller's dialect expect it. */
export const replyIdFor = ({ replyIdPrefix = '' }: Dialect, id: string): string =>
  id.startsWith(replyIdPrefix) ? id : replyIdPrefix + id
