import type { Edits, ParsedRequest } from '../dialect.ts'

/** Streams tell their usage only when asked. What else the caller chose for its stream stays. */
export const askForUsage = ({ stream, wantsUsage, fieldRanges, body }: ParsedRequest): Edits => {
  if (!stream || wantsUsage) return {}
  const place = fieldRanges.get('stream_options')
  const options = place ? JSON.parse(body.toString('utf8', place.start, place.end)) : {}
  return { stream_options: { ...options, include_usage: true } }
}
