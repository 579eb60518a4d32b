import type { Ask, Edits, Named, ReadResult } from '../dialect.ts'
import { splice as spliceTop } from '../json/splice.ts'
import { invalid, readTop } from '../json/values.ts'

/** Only what this gateway wrote is read: no caller speaks this dialect. The model stands in the path. */
export const read = (body: Buffer, named?: Named): ReadResult => {
  const top = readTop(body, [])
  if (!top.ok) return top
  const { promptTokens, places } = top
  if (!named || named.model === '') return invalid('The path must name a model.')
  return {
    ok: true,
    ask: {
      ...named,
      outputMax: undefined,
      n: 1,
      hasTools: places.has('toolConfig'),
      // Every stream tells it, whoever asks.
      wantsUsage: true,
      promptTokens,
      places,
      body,
    },
  }
}

/** As in every dialect, but the model and whether to stream are no keys of the body. */
export const splice = (ask: Ask, { model, stream, ...edits }: Edits): Buffer =>
  spliceTop(ask, edits)
