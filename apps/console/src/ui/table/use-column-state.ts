import { useState } from 'react'
import {
  readCompact,
  readHiddenColumns,
  writeCompact,
  writeHiddenColumns,
} from './state/preferences.ts'
import type { Column } from './types.ts'

/** Visible columns and row density of a table, remembered in the browser. */
export const useColumnState = <T>(resource: string, columns: readonly Column<T>[]) => {
  const hiddenByDefault = columns.filter(each => each.hidden).map(each => each.key)
  const [hidden, setHidden] = useState(() => readHiddenColumns(resource) ?? hiddenByDefault)
  const [compact, setCompact] = useState(readCompact)
  return {
    hidden,
    compact,
    visible: columns.filter(each => !hidden.includes(each.key)),
    toggle: (key: string) => {
      const next = hidden.includes(key) ? hidden.filter(each => each !== key) : [...hidden, key]
      setHidden(next)
      writeHiddenColumns(resource, next)
    },
    toggleCompact: () => {
      setCompact(!compact)
      writeCompact(!compact)
    },
  }
}

export type ColumnState = Omit<ReturnType<typeof useColumnState>, 'visible'>
