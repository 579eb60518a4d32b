import { pageSizes } from './list-url.ts'

const read = <T>(key: string, otherwise: T): T => {
  try {
    return (JSON.parse(localStorage.getItem(key) ?? 'null') as T | null) ?? otherwise
  } catch {
    return otherwise
  }
}
const write = (key: string, value: unknown) => localStorage.setItem(key, JSON.stringify(value))

const sizes = () => read<Record<string, number>>('user_page_sizes', {})
export const readSize = (of: string): number => {
  const size = sizes()[of] ?? 10
  return (pageSizes as readonly number[]).includes(size) ? size : 10
}
export const writeSize = (of: string, size: number) =>
  write('user_page_sizes', { ...sizes(), [of]: size })

const columns = () => read<Record<string, string[]>>('table_hidden_columns', {})
export const readHiddenColumns = (of: string): string[] | undefined => columns()[of]
export const writeHiddenColumns = (of: string, hidden: string[]) =>
  write('table_hidden_columns', { ...columns(), [of]: hidden })

export const readCompact = () => read('table_compact', false)
export const writeCompact = (compact: boolean) => write('table_compact', compact)
