import { invalid, readTop } from '../json/read-request.ts'
import { splice as spliceTop } from '../json/splice.ts'
import type { Edits, ParsedRequest, PathParams, ReadResult } from '../parsed-request.ts'

/** Reads a body that this gateway encoded; callers cannot use this dialect. The path contains the model. */
export const read = (body: Buffer, named?: PathParams): ReadResult => {
  const top = readTop(body, [])
  if (!top.ok) return top
  const { promptTokens, hasAddresses, fieldRanges } = top
  if (!named || named.model === '') return invalid('The path must name a model.')
  return {
    ok: true,
    parsed: {
      ...named,
      outputMax: undefined,
      n: 1,
      hasTools: fieldRanges.has('toolConfig'),
      // Every stream of this vendor reports usage.
      wantsUsage: true,
      promptTokens,
      hasAddresses,
      fieldRanges,
      body,
    },
  }
}

/** Splices edits without `model` and `stream`, which are path parameters in this dialect. */
export const splice = (ask: ParsedRequest, { model, stream, ...edits }: Edits): Buffer =>
  spliceTop(ask, edits)
