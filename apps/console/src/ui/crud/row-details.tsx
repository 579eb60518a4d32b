import { useT } from '../../locales/use-t.ts'
import { detail } from '../table/cell.tsx'
import type { Column } from '../table/types.ts'
import { KeyValue } from '../values/key-value.tsx'

type Props<Row> = { resource: string; columns: readonly Column<Row>[]; row: Row }

/** Lists all columns of one row as labels and values. */
export const RowDetails = <Row extends object>({ resource, columns, row }: Props<Row>) => {
  const t = useT()
  return (
    <KeyValue
      rows={columns.map(column => {
        const label = t(column.labelKey ?? `${resource}.fields.${column.key}`)
        return [label, detail(column, row, label)]
      })}
    />
  )
}
