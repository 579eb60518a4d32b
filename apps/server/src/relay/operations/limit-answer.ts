import { type CallerFormat, type ParsedRequest, readFieldRanges } from '@hub/dialects'
import type { RequestContext, ResolvedRequest } from '../context.ts'

/** Writes the limit that balance and cap cover into the request, for each candidate of a virtual model too. */
export const limitAnswer = (
  { dialect, virtual }: Pick<RequestContext, 'dialect' | 'virtual'>,
  { parsed, target }: ResolvedRequest,
  limit: number | undefined,
): ResolvedRequest => {
  if (limit === undefined) return { parsed, target }
  if (virtual)
    virtual.rest = virtual.rest.map(each => ({
      ...each,
      parsed: withLimit(dialect, each.parsed, limit),
    }))
  return { parsed: withLimit(dialect, parsed, limit), target }
}

const withLimit = (dialect: CallerFormat, parsed: ParsedRequest, limit: number): ParsedRequest => {
  if (!dialect.limitOutput) return parsed
  const body = dialect.limitOutput(parsed, limit, parsed.model)
  const read = readFieldRanges(body, 0, body.length, [])
  const fieldRanges = read.ok ? read.fieldRanges : parsed.fieldRanges
  return { ...parsed, body, fieldRanges, outputMax: limit, isLimitOurs: true }
}
