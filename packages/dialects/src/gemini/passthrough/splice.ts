import type { Ask, Edits, Place } from '../../dialect.ts'
import { placesOf } from '../../json/places.ts'
import { splice as spliceTop } from '../../json/splice.ts'
import { innerModels, plainName } from './read.ts'

/**
 * As in every dialect, but the model and whether to stream stand in the path: a body gets no such key. Where it names
 * the model all the same, as batches do, it names the new one.
 */
export const splice = (ask: Ask, edits: Edits): Buffer => {
  const { model, stream, stream_options, ...rest } = edits
  const named = ask.places.get('model')
  if (named && 'model' in edits) rest.model = renamed(ask.body, named, model)
  return spliceTop(typeof model === 'string' ? renameInside(ask, model) : ask, rest)
}

const renameInside = (ask: Ask, model: string): Pick<Ask, 'body' | 'places'> => {
  const { body, places } = ask
  const inner = innerModels(body, places)
  const texts = inner.map(place => JSON.stringify(renamed(body, place, model)))
  if (inner.every((place, at) => textOf(body, place) === texts[at])) return ask
  const pieces: Buffer[] = []
  let from = 0
  for (const [at, place] of inner.entries()) {
    pieces.push(body.subarray(from, place.start), Buffer.from(texts[at]!))
    from = place.end
  }
  const changed = Buffer.concat([...pieces, body.subarray(from)])
  const placed = placesOf(changed, 0, changed.length, [])
  return { body: changed, places: placed.ok ? placed.places : places }
}

const textOf = (body: Buffer, { start, end }: Place): string => body.toString('utf8', start, end)

/** What stands before the name (`models/`) stays before it. */
const renamed = (body: Buffer, place: Place, model: unknown): unknown => {
  if (typeof model !== 'string') return model
  const told = JSON.parse(textOf(body, place)) as string
  const before = told.slice(0, told.length - plainName(told).length)
  return model.startsWith(before) ? model : before + model
}
