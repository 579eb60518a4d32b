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

/** Writes values that differ from the defaults into the URL and keeps parameters of other components. */
export const writeListState = (
  current: URLSearchParams,
  state: ListState,
  filterKeys: readonly string[],
  defaults: Defaults,
): URLSearchParams => {
  const params = new URLSearchParams(current)
  const put = (key: string, value: string, isDefault: boolean) =>
    isDefault ? params.delete(key) : params.set(key, value)
  put('page', String(state.page), state.page === 1)
  put('after', state.after, state.after === '' || state.page === 1)
  put('size', String(state.size), state.size === defaults.size)
  put('order', state.order, state.order === defaults.order)
  put('open', state.open, state.open === '')
  for (const key of filterKeys) put(key, state.filters[key] ?? '', !state.filters[key])
  return params
}

/** Cycles one field through ascending, descending and the initial order. */
export const nextOrder = (order: string, key: string, initial: string): string => {
  if (order === key) return `-${key}`
  if (order === `-${key}`) return initial === `-${key}` ? key : initial
  return key
}
