import { type PriceField, type Provider, providerOf, providers } from '@hub/providers'
import type { Channel } from '../channels/channel.ts'

/** The fields of a channel by the lower-case name of the body's top-level field, or of the header. */
export type FieldIndex = {
  body: ReadonlyMap<string, readonly PriceField[]>
  headers: ReadonlyMap<string, readonly PriceField[]>
}

type IndexedChannel = Pick<Channel, 'provider' | 'baseUrl'>

/** One Hub's number of the provider whose upstream may be anything. */
const customType = 8

const own = new WeakMap<Provider, FieldIndex>()
const foreign = new WeakMap<Provider, FieldIndex>()

/** The server at another address than the vendor's may be any gateway, so that the fields of all count. */
export const fieldIndexOf = ({ provider, baseUrl }: IndexedChannel): FieldIndex => {
  const known = baseUrl === '' ? own : foreign
  let index = known.get(provider)
  if (!index) {
    const { fields } = provider.priceFields
    index = indexOf(baseUrl === '' ? fields : [...fields, ...foreignFields(fields)])
    known.set(provider, index)
  }
  return index
}

/** The fields of all providers by their name, for what is asked before a channel is chosen. */
export const pricedFieldsOf = (place: PriceField['in']): ReadonlyMap<string, PriceField[]> =>
  byName(
    [...new Set(providers.flatMap(each => each.priceFields.fields))].filter(
      each => each.in === place,
    ),
  )

const foreignFields = (fields: readonly PriceField[]): PriceField[] => {
  const names = new Set(fields.map(each => each.name))
  const all = providerOf(customType)?.priceFields.fields ?? []
  return all.filter(each => !names.has(each.name))
}

const indexOf = (fields: readonly PriceField[]): FieldIndex => ({
  body: byName(fields.filter(each => each.in === 'body')),
  headers: byName(fields.filter(each => each.in === 'header')),
})

const byName = (fields: readonly PriceField[]): Map<string, PriceField[]> => {
  const found = new Map<string, PriceField[]>()
  for (const field of fields) {
    const name = topNameOf(field).toLowerCase()
    found.set(name, [...(found.get(name) ?? []), field])
  }
  return found
}

const topNameOf = ({ name, in: place }: PriceField): string =>
  place === 'header' ? name : name.split('.')[0]!
