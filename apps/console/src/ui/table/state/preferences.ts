import { pageSizes } from './list-url.ts'

const read = <T>(key: string, fallback: T): T => {
  try {
    return (JSON.parse(localStorage.getItem(key) ?? 'null') as T | null) ?? fallback
  } catch {
    return fallback
  }
}
const write = (key: string, value: unknown) => localStorage.setItem(key, JSON.stringify(value))

const sizes = () => read<Record<string, number>>('user_page_sizes', {})
export const readPageSize = (resource: string): number => {
  const size = sizes()[resource] ?? 10
  return (pageSizes as readonly number[]).includes(size) ? size : 10
}
export const writePageSize = (resource: string, size: number) =>
  write('user_page_sizes', { ...sizes(), [resource]: size })

const columns = () => read<Record<string, string[]>>('table_hidden_columns', {})
export const readHiddenColumns = (resource: string): string[] | undefined => columns()[resource]
export const writeHiddenColumns = (resource: string, hidden: string[]) =>
  write('table_hidden_columns', { ...columns(), [resource]: hidden })

export const readCompact = () => read('table_compact', false)
export const writeCompact = (compact: boolean) => write('table_compact', compact)

export type SavedFilter = { name: string; query: string }

const savedFilters = () => read<Record<string, SavedFilter[]>>('table_saved_filters', {})
/** The named filters of one list and user. */
export const readSavedFilters = (key: string): SavedFilter[] => savedFilters()[key] ?? []
export const writeSavedFilters = (key: string, filters: SavedFilter[]) =>
  write('table_saved_filters', { ...savedFilters(), [key]: filters })
