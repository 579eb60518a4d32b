import { readFieldRanges } from '../../json/field-ranges.ts'
import { splice as spliceTop } from '../../json/splice.ts'
import type { ByteRange, Edits, ParsedRequest } from '../../parsed-request.ts'
import { innerModels, plainName } from './read-request.ts'

/**
 * Splices edits without `model` and `stream`, which are path parameters in this dialect. A body that names the model
 * anyway, as batches do, gets the new name.
 */
export const splice = (ask: ParsedRequest, edits: Edits): Buffer => {
  const { model, stream, stream_options, ...rest } = edits
  const modelRange = ask.fieldRanges.get('model')
  if (modelRange && 'model' in edits) rest.model = newName(ask.body, modelRange, model)
  return spliceTop(typeof model === 'string' ? renameInnerModels(ask, model) : ask, rest)
}

const renameInnerModels = (
  ask: ParsedRequest,
  model: string,
): Pick<ParsedRequest, 'body' | 'fieldRanges'> => {
  const { body, fieldRanges } = ask
  const ranges = innerModels(body, fieldRanges)
  const texts = ranges.map(place => JSON.stringify(newName(body, place, model)))
  if (ranges.every((place, at) => textOf(body, place) === texts[at])) return ask
  const pieces: Buffer[] = []
  let from = 0
  for (const [at, place] of ranges.entries()) {
    pieces.push(body.subarray(from, place.start), Buffer.from(texts[at]!))
    from = place.end
  }
  const changed = Buffer.concat([...pieces, body.subarray(from)])
  const placed = readFieldRanges(changed, 0, changed.length, [])
  return { body: changed, fieldRanges: placed.ok ? placed.fieldRanges : fieldRanges }
}

const textOf = (body: Buffer, { start, end }: ByteRange): string =>
  body.toString('utf8', start, end)

/** Keeps the prefix of the old name, such as `models/`. */
const newName = (body: Buffer, place: ByteRange, model: unknown): unknown => {
  if (typeof model !== 'string') return model
  const oldName = JSON.parse(textOf(body, place)) as string
  const before = oldName.slice(0, oldName.length - plainName(oldName).length)
  return model.startsWith(before) ? model : before + model
}
