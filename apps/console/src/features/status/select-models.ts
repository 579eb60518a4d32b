import type { AvailableModel } from '@hub/contract'

type NamedModel = AvailableModel & { name: string }

const shownMax = 8

/**
 * Chooses the models of the home page: of each maker in turn, the makers with the most models first, and of a maker its
 * most expensive ones. Patterns and models without an own price are left out.
 */
export const selectModels = (models: Record<string, AvailableModel>): NamedModel[] => {
  const named = Object.entries(models)
    .map(([name, model]) => ({ name, ...model }))
    .filter(({ name, price }) => !name.includes('*') && price.model !== '')
    .toSorted((a, b) => b.price.output - a.price.output || (a.name < b.name ? -1 : 1))
  const byMaker = [...Map.groupBy(named, each => each.owned_by).values()].toSorted(
    (a, b) => b.length - a.length,
  )
  const rounds = Math.max(0, ...byMaker.map(each => each.length))
  return Array.from({ length: rounds }, (_, n) => byMaker.flatMap(each => each[n] ?? []))
    .flat()
    .slice(0, shownMax)
}
