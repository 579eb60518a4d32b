import { type CallerFormat, type ParsedRequest, readFieldRanges } from '@hub/dialects'
import type { CallTarget } from '../context.ts'

/** Writes the limit that balance and cap cover into the request of each target. Undefined: they cover all. */
export const limitAnswer = (
  format: CallerFormat,
  targets: readonly CallTarget[],
  limit: number | undefined,
): readonly CallTarget[] =>
  limit === undefined || !format.limitOutput
    ? targets
    : targets.map(each => ({ ...each, parsed: withLimit(format, each.parsed, limit) }))

const withLimit = (
  { limitOutput }: CallerFormat,
  parsed: ParsedRequest,
  limit: number,
): ParsedRequest => {
  const body = limitOutput!(parsed, limit, parsed.model)
  const read = readFieldRanges(body, 0, body.length, [])
  const fieldRanges = read.ok ? read.fieldRanges : parsed.fieldRanges
  return { ...parsed, body, fieldRanges, outputMax: limit, isLimitOurs: true }
}
