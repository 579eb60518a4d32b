import { Fault } from '@hub/contract'
import type { Edits, ParsedRequest } from '@hub/dialects'

type PricedRequest = Pick<ParsedRequest, 'body' | 'fieldRanges' | 'pricing'>

/** Names, in any spelling, of fields that say how many results a request makes. A price per call is for one. */
const counts = [
  'n',
  'batchsize',
  'bestof',
  'numimages',
  'maximages',
  'numberofimages',
  'samplecount',
]

/** Names of fields that fix the price of what is not charged by a report of the vendor. */
const measures = [
  ...['size', 'imagesize', 'width', 'height', 'resolution', 'quality', 'style', 'partialimages'],
  ...['seconds', 'duration', 'durationseconds', 'mode', 'sound', 'generateaudio'],
  ...['prompt', 'input', 'instructions', 'text', 'query', 'documents'],
  ...['file', 'image', 'images', 'mask', 'streamformat'],
]
const countNames = new Set(counts)
const allNames = new Set([...counts, ...measures])

/**
 * Refuses what custom parameters and rules of an operator change in the price of an operation: that was read from the
 * caller's request, and is what the caller pays. `before` has the edits without theirs.
 */
export const checkFixedPrice = (parsed: PricedRequest, before: Edits, after: Edits): void => {
  if (!parsed.pricing) return
  const names = parsed.pricing.isExact ? allNames : countNames
  for (const key in after) {
    const was = valueAt(parsed, before, key)
    const changed = changedName(key, was, after[key], names)
    if (changed !== undefined)
      throw new Fault('request.price_field', {
        hint: `The custom parameter or a rule of the channel changes '${changed}', which fixes the price of this operation. Leave it out there.`,
      })
  }
}

/** The path of the first changed field that fixes the price. */
const changedName = (
  path: string,
  was: unknown,
  is: unknown,
  names: ReadonlySet<string>,
): string | undefined => {
  if (JSON.stringify(was) === JSON.stringify(is)) return undefined
  const name = path.slice(path.lastIndexOf('.') + 1)
  if (names.has(name.toLowerCase().replaceAll(/[_-]/g, ''))) return path
  const [old, fresh] = [fieldsOf(was), fieldsOf(is)]
  for (const key of new Set([...Object.keys(old), ...Object.keys(fresh)])) {
    const found = changedName(`${path}.${key}`, old[key], fresh[key], names)
    if (found !== undefined) return found
  }
  return undefined
}

const fieldsOf = (value: unknown): Record<string, unknown> =>
  typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}

const valueAt = ({ body, fieldRanges }: PricedRequest, edits: Edits, key: string): unknown => {
  if (Object.hasOwn(edits, key)) return edits[key]
  const range = fieldRanges.get(key)
  return range && JSON.parse(body.toString('utf8', range.start, range.end))
}
