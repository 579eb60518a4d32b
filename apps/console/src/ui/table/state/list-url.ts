export const pageSizes = [10, 30, 50, 100] as const

export type ListState = {
  page: number
  size: number
  order: string
  filters: Record<string, string>
  /** The cursor that the page begins after, in lists that have cursors. */
  after: string
  /** The key of the row whose detail drawer is open. */
  open: string
}
type Defaults = Pick<ListState, 'page' | 'size' | 'order'>

/** Reads the list state from the URL. Invalid values fall back to the defaults. */
export const readListState = (
  params: URLSearchParams,
  filterKeys: readonly string[],
  defaults: Defaults,
): ListState => {
  const page = Number(params.get('page'))
  const size = Number(params.get('size'))
  const filters = filterKeys.flatMap(key => {
    const value = params.get(key)
    return value ? [[key, value] as const] : []
  })
  return {
    page: Number.isInteger(page) && page >= 1 ? page : defaults.page,
    size: (pageSizes as readonly number[]).includes(size) ? size : defaults.size,
    order: params.get('order') ?? defaults.order,
    filters: Object.fromEntries(filters),
    after: page > 1 ? (params.get('after') ?? '') : '',
    open: params.get('open') ?? '',
  }
}

/** Cycles one field through ascending, descending and the initial order. */
export const nextOrder = (order: string, key: string, initial: string): string => {
  if (order === key) return `-${key}`
  if (order === `-${key}`) return initial === `-${key}` ? key : initial
  return key
}
