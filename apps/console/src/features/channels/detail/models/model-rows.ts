import type { Channel, ModelTest, Price } from '@hub/contract'
import { splitNames } from '../../../../ui/form/names.ts'
import { readMap, writeMap } from '../../form/stored-text.ts'

export type ServedModel = {
  model: string
  /** A name that ends in `*` stands for many models and cannot be tested. */
  isPattern: boolean
  /** The name at the provider. Empty: the same. */
  target: string
  /** The name whose price applies. */
  billedAs: string
  /** Undefined: it has none, and cannot be called. */
  price: Price | undefined
  test: ModelTest | undefined
}

/** The price of a model: an exact name wins over any prefix, a longer prefix over a shorter one. */
export const priceOf = (prices: readonly Price[], model: string): Price | undefined =>
  prices.find(each => each.model === model) ??
  prices
    .filter(each => each.model.endsWith('*') && model.startsWith(each.model.slice(0, -1)))
    .toSorted((a, b) => b.model.length - a.model.length)[0]

/** The rows of the models of a channel. A target that begins with `+` is billed as the requested model. */
export const rowsOf = (
  { models, model_mapping }: Pick<Channel, 'models' | 'model_mapping'>,
  prices: readonly Price[],
  tests: readonly ModelTest[],
): ServedModel[] => {
  const targets = new Map((readMap(model_mapping) ?? []).map(({ key, value }) => [key, value]))
  return splitNames(models).map(model => {
    const target = targets.get(model) ?? ''
    const billedAs = target === '' || target.startsWith('+') ? model : target
    return {
      ...{ model, billedAs, isPattern: model.endsWith('*') },
      target: target.replace(/^\+/, ''),
      price: priceOf(prices, billedAs),
      test: tests.find(each => each.model === model),
    }
  })
}

/** The fields of a channel without one model. Its mapping goes too, because the form adds mapped models to the list. */
export const withoutModel = (
  { models, model_mapping }: Pick<Channel, 'models' | 'model_mapping'>,
  model: string,
): Pick<Channel, 'models' | 'model_mapping'> => {
  const entries = readMap(model_mapping) ?? []
  const kept = entries.filter(({ key }) => key !== model)
  return {
    models: splitNames(models)
      .filter(each => each !== model)
      .join(','),
    model_mapping: kept.length < entries.length ? writeMap(kept) : model_mapping,
  }
}
