import { createContext, useContext } from 'react'
import type { RowKey } from './types.ts'

export const PageKeys = createContext<readonly RowKey[]>([])

/** The keys of all rows of the page, for a cell whose values are read for all rows at once. */
export const usePageKeys = (): readonly RowKey[] => useContext(PageKeys)
