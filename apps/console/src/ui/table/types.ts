import type { ReactNode } from 'react'

export type Column<T> = {
  /** Names the column, its header `<of>.fields.<key>`, and the field it is sorted by. */
  key: string
  show?: (row: T) => ReactNode
  align?: 'left' | 'right'
  /** Not shown until somebody chooses it. */
  hidden?: boolean
  width?: number | string
  /** Only for lists that come whole: others are sorted by what the contract names. */
  sort?: boolean
  /** A header other than `<of>.fields.<key>`, as a locale key. */
  label?: string
}

export type Filter = {
  key: string
  kind: 'text' | 'select' | 'time' | 'number'
  options?: readonly { value: string | number; label: string }[]
  /** A label other than `<of>.fields.<key>`, as a locale key; `keyword` is `common.search`. */
  label?: string
}

/** On a phone a row is a card: its name and the facts that matter. */
export type CardShape<T> = {
  title: (row: T) => ReactNode
  facts: readonly string[]
}

export const cell = <T extends object>(column: Column<T>, row: T): ReactNode =>
  column.show ? column.show(row) : plain(Reflect.get(row, column.key))

const plain = (value: unknown): ReactNode =>
  value === null || value === undefined || value === '' ? '–' : String(value)
