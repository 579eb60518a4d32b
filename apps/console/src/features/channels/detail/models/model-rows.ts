import type { Channel, ModelTest, Price } from '@hub/contract'
import { billedModels } from '../../form/stored-text.ts'

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

/** The rows of the models of a channel. */
export const rowsOf = (
  channel: Pick<Channel, 'models' | 'model_mapping'>,
  prices: readonly Price[],
  tests: readonly ModelTest[],
): ServedModel[] =>
  billedModels(channel).map(({ model, target, billedAs }) => ({
    ...{ model, target, billedAs, isPattern: model.endsWith('*') },
    price: priceOf(prices, billedAs),
    test: tests.find(each => each.model === model),
  }))
