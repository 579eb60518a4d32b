import { equalText, md5Signature } from '../md5-signature.ts'

type Values = Record<string, unknown>
/** `literals` holds numbers as they were written, because servers in other languages sign those. */
type SignedFields = { values: Values; literals: Readonly<Record<string, string>> }

const unsigned = ['signature']

/** Adds the signature to the fields and returns the JSON text. */
export const signed = (fields: Values, token: string): string =>
  JSON.stringify({ ...fields, signature: md5Signature(texts(fields, toGoText), token, unsigned) })

/** Undefined if the body is no JSON object of texts and numbers, or names a field twice. */
export const readSigned = (body: string): SignedFields | undefined => {
  const literals: Record<string, string> = {}
  let values: unknown
  let count = 0
  try {
    values = JSON.parse(body, (key, value: unknown, context?: { source?: string }) => {
      if (key !== '') count += 1
      if (typeof value === 'number' && context?.source) literals[key] = context.source
      return value
    })
  } catch {
    return undefined
  }
  if (typeof values !== 'object' || values === null || Array.isArray(values)) return undefined
  const entries = Object.entries(values)
  const areFlat = entries.every(([, value]) => value === null || typeof value !== 'object')
  if (!areFlat || count !== entries.length || hasRepeatedName(body, entries.length))
    return undefined
  return { values: values as Values, literals }
}

/** A second field of one name would replace the first one, which other readers may use instead. */
const hasRepeatedName = (body: string, names: number): boolean =>
  (body.match(/"(?:[^"\\]|\\.)*"\s*:/g)?.length ?? 0) !== names

export const isSignedBy = ({ values, literals }: SignedFields, token: string): boolean => {
  const signature = typeof values.signature === 'string' ? values.signature.toLowerCase() : ''
  const literalText = (value: unknown, name: string) => literals[name] ?? toGoText(value)
  return [toGoText, literalText].some(toText =>
    equalText(signature, md5Signature(texts(values, toText), token, unsigned)),
  )
}

const texts = (
  fields: Values,
  toText: (value: unknown, name: string) => string,
): Record<string, string> =>
  Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, toText(value, name)]))

/** The text of a value in Go's format `%v`, which the vendor signs: 1,000,000 is `1e+06`. */
export const toGoText = (value: unknown): string => {
  if (value === null || value === undefined) return ''
  if (typeof value !== 'number') return String(value)
  const [digits = '', power = '0'] = value.toExponential().split('e')
  const exponent = Number(power)
  if (exponent >= -4 && exponent < exponentMin) return value.toString()
  const sign = exponent < 0 ? '-' : '+'
  return `${digits}e${sign}${String(Math.abs(exponent)).padStart(2, '0')}`
}

/** https://pkg.go.dev/strconv#FormatFloat, format `g` with the shortest precision. */
const exponentMin = 6
