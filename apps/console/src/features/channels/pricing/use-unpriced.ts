import type { Price, PriceSuggestion } from '@hub/contract'
import { keepPreviousData, type QueryClient, useQuery, useQueryClient } from '@tanstack/react-query'
import { api, query } from '../../../api/index.ts'

/** A model of a channel, and the name whose price applies to it. */
export type BilledModel = { model: string; billedAs: string }

/** A pattern names no model that could have a price of its own. */
const namesOf = (models: readonly BilledModel[]): string[] =>
  [...new Set(models.map(each => each.billedAs))].filter(each => !each.endsWith('*')).toSorted()

const suggestions = (names: string[]) =>
  query(api.prices.suggest, { models: names, from_list: false, unpriced_only: true })

/** While another list is asked about, the answer is that for the one before. */
const amongNames = (found: readonly PriceSuggestion[], names: readonly string[]) =>
  found.filter(each => names.includes(each.model))

/** The names without a price that the models are billed as, each with the price that the shipped list suggests. */
export const useUnpriced = (models: readonly BilledModel[]): PriceSuggestion[] => {
  const names = namesOf(models)
  const { data = [] } = useQuery({
    ...suggestions(names),
    enabled: names.length > 0,
    placeholderData: keepPreviousData,
  })
  return amongNames(data, names)
}

const findUndecided = async (
  client: QueryClient,
  models: readonly BilledModel[],
  prices: readonly Price[],
): Promise<string[]> => {
  const names = namesOf(models)
  if (names.length === 0) return []
  const found = await client.fetchQuery({ ...suggestions(names), staleTime: 10_000 })
  const chosen = new Set(prices.map(each => each.model))
  return found.flatMap(({ model }) => (chosen.has(model) ? [] : [model]))
}

/** Finds the names that have neither a price nor a choice, also while the page does not know them yet. */
export const useFindUndecided = () => {
  const client = useQueryClient()
  return (models: readonly BilledModel[], prices: readonly Price[]) =>
    findUndecided(client, models, prices)
}
