import { useSearchParams } from 'react-router'
import type { ModelFilters } from './rows.ts'

export type Layout = 'cards' | 'list'
type ModelListParams = ModelFilters & { layout: Layout }

/** Keeps the filters in the address, so that a view can be shared as a link. */
export const useModelFilters = (
  firstGroup: string,
): [ModelListParams, (part: Partial<ModelListParams>) => void] => {
  const [params, setParams] = useSearchParams()
  const text = (key: string) => params.get(key) ?? ''
  const filters: ModelListParams = {
    keyword: text('keyword'),
    owner: text('owner'),
    type: text('type'),
    modality: text('modality'),
    tag: text('tag'),
    group: text('group') || firstGroup,
    only: text('only') === 'true',
    layout: text('layout') === 'list' ? 'list' : 'cards',
  }
  const set = (part: Partial<ModelListParams>) =>
    setParams(
      now => {
        const next = new URLSearchParams(now)
        for (const [key, value] of Object.entries(part))
          if (value === '' || value === false) next.delete(key)
          else next.set(key, String(value))
        return next
      },
      { replace: true, preventScrollReset: true },
    )
  return [filters, set]
}
