import { foldName, type PriceField } from '@hub/providers'

/** Longer values are cut in messages. */
const shownMax = 60

/** The values of a field that do not mean the vendor's default, in lower case. */
export const pricedValues = (field: PriceField, value: unknown): string[] => {
  const inner = memberOf(field, value)
  if (isEmpty(inner)) return []
  const { elements } = field
  // A number is another field of the same name, such as the speed of a voice.
  if (typeof inner === 'number') return field.dimension === 'routing' ? [String(inner)] : []
  const values = elements ? elementsOf(inner).filter(each => elements.test(each)) : [textOf(inner)]
  return values.filter(each => !field.defaults.includes(each))
}

/** The member that a field such as `performanceConfig.latency` names. Vendors may read its name in any case. */
const memberOf = ({ name, in: place }: PriceField, value: unknown): unknown => {
  const member = place === 'body' ? name.split('.')[1] : undefined
  if (member === undefined) return value
  if (typeof value !== 'object' || value === null) return undefined
  const found = Object.entries(value).filter(
    ([key, each]) => foldName(key) === member && !isEmpty(each),
  )
  return found.at(-1)?.[1]
}

const isEmpty = (value: unknown): boolean =>
  value === undefined ||
  value === null ||
  value === '' ||
  (Array.isArray(value) && value.length === 0)

const elementsOf = (value: unknown): string[] =>
  (Array.isArray(value) ? value : String(value).split(',')).map(each => textOf(each))

/** Gemini also takes the names of its protocol buffers, such as `SERVICE_TIER_FLEX`. */
const textOf = (value: unknown): string => {
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  return text
    .trim()
    .toLowerCase()
    .replace(/^service_tier_/, '')
}

export const shown = (value: string): string =>
  value.length > shownMax ? `${value.slice(0, shownMax)}…` : value
