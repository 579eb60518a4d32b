import Box from '@mui/material/Box'
import type { ReactNode } from 'react'
import type { Column } from './types.ts'

/** The content of one table cell. */
export const cell = <T extends object>(column: Column<T>, row: T): ReactNode => {
  if (column.render) return column.render(row)
  const text = plainText(column, row)
  if (!column.emphasized) return text
  // A narrow table scrolls instead of breaking a name at each word.
  return <Box sx={{ fontWeight: 500, minWidth: { sm: 120 } }}>{text}</Box>
}

/** The value of a column in the detail drawer. */
export const detail = <T extends object>(column: Column<T>, row: T, label: string): ReactNode =>
  column.detail?.(row, label) ?? column.render?.(row) ?? plainText(column, row)

const plainText = <T extends object>(column: Column<T>, row: T): string => {
  const value: unknown = Reflect.get(row, column.key)
  return value === null || value === undefined || value === '' ? '–' : String(value)
}
