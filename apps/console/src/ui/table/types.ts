import type { Endpoint } from '@hub/contract'
import type { ReactNode } from 'react'
import type { Call } from '../../api/client.ts'

export type RowKey = string | number

export type Column<T> = {
  /** Identifies the column, its header `<resource>.fields.<key>` and the field it is sorted by. */
  key: string
  render?: (row: T) => ReactNode
  /** The value in the detail drawer, when it differs from the table cell. */
  detail?: (row: T, label: string) => ReactNode
  /** Shown in a heavier weight, such as the name of the row. */
  emphasized?: boolean
  align?: 'left' | 'right'
  /** The text of the row's amount, whose decimal point lines up with those of the other rows. */
  amount?: (row: T) => string | undefined
  /** Hidden until the user selects it in the column menu. */
  hidden?: boolean
  width?: number | string
  /** Sortable in the browser. Only for lists without pages; the contract decides for all others. */
  sort?: boolean
  /** The locale key of the header, when it is not `<resource>.fields.<key>`. */
  labelKey?: string
}

export type Filter = {
  key: string
  kind: 'text' | 'select' | 'time' | 'number'
  options?: readonly { value: string | number; label: string }[]
  /** Returns texts that contain `keyword`, for a text filter. */
  suggestions?: Call<Endpoint>
  /** The locale key of the label, when it is not `<resource>.fields.<key>` (`common.search` for `keyword`). */
  labelKey?: string
}

/** The phone layout of a row: a title and the columns worth showing. */
export type CardShape<T> = {
  title: (row: T) => ReactNode
  fields: readonly string[]
  /** Takes the place of the fields: one line below the title. */
  line?: (row: T) => ReactNode
}
