import { readFieldRanges } from '../../json/field-ranges.ts'
import { splice } from '../../json/splice.ts'
import type { ParsedRequest } from '../../parsed-request.ts'

/** Writes the limit into the settings of the request, in the spelling that the body has, and leaves all other bytes. */
export const limitOutput = (
  { body, fieldRanges }: Pick<ParsedRequest, 'body' | 'fieldRanges'>,
  limit: number,
): Buffer => {
  const name = fieldRanges.has('generation_config') ? 'generation_config' : 'generationConfig'
  const range = fieldRanges.get(name)
  const inner = range && readFieldRanges(body, range.start, range.end, [])
  if (!inner?.ok || inner.fieldRanges.size === 0)
    return splice({ body, fieldRanges }, { [name]: { maxOutputTokens: limit } })
  const key = inner.fieldRanges.has('max_output_tokens') ? 'max_output_tokens' : 'maxOutputTokens'
  return splice({ body, fieldRanges: inner.fieldRanges }, { [key]: limit })
}
