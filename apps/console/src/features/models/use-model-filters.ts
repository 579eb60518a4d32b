import { useAddress } from '../../ui/index.ts'
import type { ModelFilters } from './rows.ts'

export type Layout = 'cards' | 'list'
type ModelListParams = ModelFilters & { layout: Layout }

/** Keeps the filters in the address, so that a view can be shared as a link. */
export const useModelFilters = (
  firstGroup: string,
): [ModelListParams, (part: Partial<ModelListParams>) => void] => {
  const [params, change] = useAddress()
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
    change(
      Object.fromEntries(Object.entries(part).map(([key, value]) => [key, String(value || '')])),
      { replace: true },
    )
  return [filters, set]
}
