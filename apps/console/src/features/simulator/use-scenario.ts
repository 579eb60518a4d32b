import type { Price } from '@hub/contract'
import { useState } from 'react'
import { useUser } from '../../api/index.ts'
import { clearDraft, readDraft, writeDraft } from '../../ui/stored-draft.ts'
import type { EditedPrice, EditedRatio } from './changes.ts'

/** Only typed values are stored. The rest of a price comes from the server, because it can change until a reload. */
type TypedScenario = {
  prices: { model: string; input: string; output: string }[]
  ratios: EditedRatio[]
}

const blank: TypedScenario = { prices: [], ratios: [] }

/** The typed prices and ratios, kept in the tab until they are removed. */
export const useScenario = (prices: readonly Price[]) => {
  const { id } = useUser()
  const name = `simulator of ${id}`
  const [draft, setDraft] = useState(() => ({ ...blank, ...readDraft<TypedScenario>(name) }))
  const change = (changed: Partial<TypedScenario>) => {
    const next = { ...draft, ...changed }
    if (next.prices.length + next.ratios.length > 0) writeDraft(name, next)
    else clearDraft(name)
    setDraft(next)
  }
  return {
    changes: draft.prices.flatMap(({ model, ...typed }): EditedPrice[] => {
      const price = prices.find(each => each.model === model)
      return price ? [{ price, ...typed }] : []
    }),
    setChanges: (changes: EditedPrice[]) =>
      change({
        prices: changes.map(({ price, input, output }) => ({ model: price.model, input, output })),
      }),
    ratios: draft.ratios,
    setRatios: (ratios: EditedRatio[]) => change({ ratios }),
  }
}
