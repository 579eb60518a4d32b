import fc, { type Arbitrary } from 'fast-check'

/** Strings that break code which cuts, escapes or joins without care. */
const trickyTexts = [
  'data: ',
  '\n\n',
  '\r\n',
  '\r',
  '"',
  '\\',
  '\\u00e9',
  '{"a":',
  '}',
  '[DONE]',
  'event: x',
  ': ',
  '\u0000',
  '\u2028',
  '\uFEFF',
  'é',
  '世界',
  '👩‍🚀',
  '\u{10FFFF}',
  '__proto__',
  ' ',
  '0',
]
const plainTexts = ['the', 'sky', ' is', ' blue', '. ', 'Because', ' light', ' scatters', ', so']

/** A list of `min` to `max` items, whatever the size that fast-check is run with. */
export const list = <Item>(min: number, max: number, item: Arbitrary<Item>): Arbitrary<Item[]> =>
  fc.array(item, { minLength: min, maxLength: max, size: 'max' })

/** Undefined in half of the cases. */
export const maybe = <Value>(value: Arbitrary<Value>): Arbitrary<Value | undefined> =>
  sometimes(2, value)

/** Undefined in all but one of `oneIn` cases. */
export const sometimes = <Value>(
  oneIn: number,
  value: Arbitrary<Value>,
): Arbitrary<Value | undefined> =>
  fc.oneof(
    { weight: oneIn - 1, arbitrary: fc.constant(undefined) },
    { weight: 1, arbitrary: value },
  )

/** Removes undefined fields, because decoders leave them out too. */
export const defined = <Value extends object>(value: Value): Value =>
  Object.fromEntries(Object.entries(value).filter(([, field]) => field !== undefined)) as Value

/** An object of constant and generated fields, without the undefined ones. */
export const record = <const Constants extends object, Fields extends object>(
  constants: Constants,
  fields: { [Key in keyof Fields]: Arbitrary<Fields[Key]> },
): Arbitrary<Constants & Fields> =>
  fc
    .record(fields as Record<string, Arbitrary<unknown>>, { noNullPrototype: true })
    .map(generated => defined({ ...constants, ...generated }) as Constants & Fields)

/** Never empty. */
export const text = (maxPieces = 8): Arbitrary<string> => {
  const piece = fc.oneof(
    { weight: 3, arbitrary: fc.constantFrom(...plainTexts, ' 42') },
    { weight: 1, arbitrary: fc.constantFrom(...trickyTexts) },
  )
  return list(1, maxPieces, piece).map(pieces => pieces.join(''))
}

const alphanumerics = [...'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789']

export const name = (prefix = ''): Arbitrary<string> =>
  list(4, 12, fc.constantFrom(...alphanumerics)).map(chosen => prefix + chosen.join(''))

export const base64 = (): Arbitrary<string> =>
  fc
    .uint8Array({ minLength: 1, maxLength: 60, size: 'max' })
    .map(bytes => Buffer.from(bytes).toString('base64'))

export const json = (depth = 2): Arbitrary<unknown> => {
  const scalars: fc.WeightedArbitrary<unknown>[] = [
    { weight: 1, arbitrary: fc.constant(null) },
    { weight: 1, arbitrary: fc.boolean() },
    { weight: 1, arbitrary: fc.nat(100_000).map(eighths => eighths / 8) },
    { weight: 2, arbitrary: text(3) },
  ]
  if (depth === 0) return fc.oneof(...scalars)
  return fc.oneof(
    ...scalars,
    { weight: 1, arbitrary: list(0, 3, json(depth - 1)) },
    { weight: 1, arbitrary: jsonObject(depth - 1) },
  )
}

export const jsonObject = (depth = 2): Arbitrary<Record<string, unknown>> =>
  list(0, 3, fc.tuple(name(), json(depth))).map(entries => Object.fromEntries(entries))

export const jsonSchema = (): Arbitrary<Record<string, unknown>> => {
  const property = record(
    {},
    { type: fc.constantFrom('string', 'number', 'boolean'), description: text(2) },
  )
  return list(0, 3, fc.tuple(name(), property)).map(properties => ({
    type: 'object',
    properties: Object.fromEntries(properties),
    additionalProperties: false,
  }))
}

const anyJson = json()

/** The value with one place in it, at any depth, replaced by other JSON. */
export const mutated = (value: unknown): Arbitrary<unknown> => {
  if (typeof value !== 'object' || value === null) return anyJson
  return fc.oneof(
    { weight: 1, arbitrary: anyJson },
    { weight: 5, arbitrary: Array.isArray(value) ? mutatedList(value) : mutatedObject(value) },
  )
}

const mutatedList = (items: readonly unknown[]): Arbitrary<unknown[]> =>
  items.length === 0
    ? anyJson.map(item => [item])
    : fc
        .nat(items.length - 1)
        .chain(index => mutated(items[index]).map(item => items.with(index, item)))

const mutatedObject = (fields: object): Arbitrary<object> => {
  const entries = Object.entries(fields)
  if (entries.length === 0)
    return fc.tuple(fc.constantFrom('type', 'x'), anyJson).map(([key, field]) => ({ [key]: field }))
  return fc
    .constantFrom(...entries)
    .chain(([key, field]) => mutated(field).map(other => ({ ...fields, [key]: other })))
}
