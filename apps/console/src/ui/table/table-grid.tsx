import type { Endpoint } from '@hub/contract'
import Box from '@mui/material/Box'
import Checkbox from '@mui/material/Checkbox'
import Skeleton from '@mui/material/Skeleton'
import Table from '@mui/material/Table'
import TableBody from '@mui/material/TableBody'
import TableCell from '@mui/material/TableCell'
import TableContainer from '@mui/material/TableContainer'
import TableHead from '@mui/material/TableHead'
import TableRow from '@mui/material/TableRow'
import TableSortLabel from '@mui/material/TableSortLabel'
import { visuallyHidden } from '@mui/utils'
import { type KeyboardEvent, type ReactNode, useState } from 'react'
import type { Call } from '../../api/client.ts'
import { useT } from '../../locales/use-t.ts'
import { AmountPlaces, mostPlaces } from '../values/amount.tsx'
import { onArrowKeys } from './arrow-keys.ts'
import { cell } from './cell.tsx'
import { type Selection, SelectionBox } from './selection/selection-box.tsx'
import type { ListControl } from './state/list-state.ts'
import { nextOrder } from './state/list-url.ts'
import { orderFields } from './state/rows.ts'
import type { Rows } from './state/use-rows.ts'
import type { Column, RowKey } from './types.ts'

type GridProps<T extends object, E extends Endpoint> = {
  resource: string
  list: Call<E>
  columns: readonly Column<T>[]
  order?: string
  rowKey: (row: T) => RowKey
  rowActions?: (row: T) => ReactNode
  drawer?: unknown
  bulkActions?: unknown
  control: ListControl
  rows: Rows<T>
  compact: boolean
} & Selection

/** Keeps the actions of a row visible when the table is wider than the screen. */
const pinnedRight = {
  position: 'sticky',
  right: 0,
  bgcolor: 'background.paper',
  'tr:hover > &': {
    backgroundImage: 'linear-gradient(var(--mui-palette-action-hover) 0 0)',
  },
  'tr.Mui-selected > &': {
    backgroundImage: 'linear-gradient(rgba(var(--mui-palette-primary-mainChannel) / 0.08) 0 0)',
  },
  'tr.Mui-selected:hover > &': {
    backgroundImage: 'linear-gradient(rgba(var(--mui-palette-primary-mainChannel) / 0.12) 0 0)',
  },
}

export const TableGrid = <T extends object, E extends Endpoint>(props: GridProps<T, E>) => {
  const { resource, rows, control, compact, rowKey } = props
  const t = useT()
  const decimals = decimalCountsOf(props.columns, rows.page?.data ?? [])
  // One row is a stop of the tab key; the arrow keys reach the others.
  const [visited, setVisited] = useState<RowKey>()
  const keys = rows.page?.data.map(rowKey) ?? []
  const stop = visited !== undefined && keys.includes(visited) ? visited : keys[0]
  return (
    <TableContainer sx={{ maxHeight: { sm: 'max(320px, calc(100dvh - 300px))' } }}>
      <Table stickyHeader size="small" aria-rowcount={rows.page?.total_count ?? -1}>
        <caption style={visuallyHidden as object}>{t(`${resource}.title`)}</caption>
        <TableHead>
          <HeaderRow {...props} />
        </TableHead>
        <TableBody onKeyDown={onArrowKeys('tr[tabindex]')}>
          {rows.isLoading && <SkeletonRows {...props} count={Math.min(control.state.size, 10)} />}
          {rows.page?.data.map(row => (
            <Row
              key={rowKey(row)}
              {...props}
              row={row}
              height={compact ? 36 : 44}
              decimals={decimals}
              isTabStop={rowKey(row) === stop}
              onVisit={() => setVisited(rowKey(row))}
            />
          ))}
        </TableBody>
      </Table>
    </TableContainer>
  )
}

/** The most decimals of the amounts in a column, by its key. */
type DecimalCounts = ReadonlyMap<string, number>

const decimalCountsOf = <T,>(columns: readonly Column<T>[], rows: readonly T[]): DecimalCounts =>
  new Map(
    columns.flatMap(({ key, amount }) =>
      amount ? [[key, mostPlaces(rows.map(row => amount(row)))] as const] : [],
    ),
  )

const HeaderRow = <T extends object, E extends Endpoint>(props: GridProps<T, E>) => {
  const { columns, rowActions, bulkActions, rows, selected, setSelected, rowKey } = props
  const t = useT()
  const keys = (rows.page?.data ?? []).map(rowKey)
  const allSelected = keys.length > 0 && keys.every(key => selected.includes(key))
  return (
    <TableRow>
      {Boolean(bulkActions) && (
        <TableCell padding="checkbox">
          <Checkbox
            size="small"
            checked={allSelected}
            indeterminate={!allSelected && selected.length > 0}
            onChange={() => setSelected(allSelected ? [] : keys)}
            slotProps={{ input: { 'aria-label': t('common.chooseAll') } }}
          />
        </TableCell>
      )}
      {columns.map(column => (
        <HeaderCell key={column.key} {...props} column={column} />
      ))}
      {rowActions && (
        <TableCell align="right" sx={{ ...pinnedRight, zIndex: 3 }}>
          <Box component="span" sx={visuallyHidden}>
            {t('common.actions')}
          </Box>
        </TableCell>
      )}
    </TableRow>
  )
}

const HeaderCell = <T extends object, E extends Endpoint>({
  resource,
  list,
  column,
  control,
  order: initial = '',
}: GridProps<T, E> & { column: Column<T> }) => {
  const t = useT()
  const label = t(column.labelKey ?? `${resource}.fields.${column.key}`)
  const isSortable = column.sort ?? orderFields(list).includes(column.key)
  const { order } = control.state
  const direction = order === column.key ? 'asc' : order === `-${column.key}` ? 'desc' : undefined
  return (
    <TableCell
      align={column.align ?? 'left'}
      sortDirection={direction ?? false}
      sx={{ whiteSpace: 'nowrap', width: column.width }}
    >
      {isSortable ? (
        <TableSortLabel
          active={direction !== undefined}
          direction={direction ?? 'asc'}
          onClick={() => control.setOrder(nextOrder(order, column.key, initial))}
        >
          {label}
        </TableSortLabel>
      ) : (
        label
      )}
    </TableCell>
  )
}

type FocusableRowProps<T> = {
  row: T
  height: number
  decimals: DecimalCounts
  isTabStop: boolean
  onVisit: () => void
}

const Row = <T extends object, E extends Endpoint>(
  props: GridProps<T, E> & FocusableRowProps<T>,
) => {
  const { row, height, columns, control, drawer, bulkActions, rowActions } = props
  const { selected, setSelected } = props
  const key = props.rowKey(row)
  const open = drawer ? () => control.setOpen(String(key)) : undefined
  const isOpen = control.state.open === String(key)
  const openOnEnter = (event: KeyboardEvent) => {
    if (event.target !== event.currentTarget || event.key !== 'Enter') return
    open?.()
  }
  return (
    <TableRow
      hover
      selected={isOpen || selected.includes(key)}
      tabIndex={open ? (props.isTabStop ? 0 : -1) : undefined}
      onFocus={props.onVisit}
      onClick={() => String(window.getSelection() ?? '') === '' && open?.()}
      onKeyDown={openOnEnter}
      sx={{
        height,
        cursor: open ? 'pointer' : 'default',
        '& td': { py: 0.5 },
        '&:last-of-type td': { borderBottom: 0 },
      }}
    >
      {Boolean(bulkActions) && (
        <TableCell padding="checkbox" onClick={event => event.stopPropagation()}>
          <SelectionBox {...{ selected, setSelected }} rowId={key} />
        </TableCell>
      )}
      {columns.map(column => (
        <TableCell
          key={column.key}
          align={column.align ?? 'left'}
          // Figures stay in one line.
          sx={column.align === 'right' ? { whiteSpace: 'nowrap' } : undefined}
        >
          <AmountPlaces value={props.decimals.get(column.key) ?? 0}>
            {cell(column, row)}
          </AmountPlaces>
        </TableCell>
      ))}
      {rowActions && (
        <TableCell
          align="right"
          sx={{ ...pinnedRight, whiteSpace: 'nowrap' }}
          onClick={event => event.stopPropagation()}
        >
          {rowActions(row)}
        </TableCell>
      )}
    </TableRow>
  )
}

/** Placeholder rows of the final height while the first page loads, so that the layout does not shift. */
const SkeletonRows = <T extends object, E extends Endpoint>({
  columns,
  rowActions,
  bulkActions,
  compact,
  count,
}: GridProps<T, E> & { count: number }) => {
  const cells = columns.length + (rowActions ? 1 : 0) + (bulkActions ? 1 : 0)
  return Array.from({ length: count }, (_, row) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: placeholder rows have no identity and never move
    <TableRow key={row} sx={{ height: compact ? 36 : 44 }}>
      {Array.from({ length: cells }, (_, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: as above
        <TableCell key={index}>
          <Skeleton width={`${50 + ((row * 7 + index * 13) % 40)}%`} />
        </TableCell>
      ))}
    </TableRow>
  ))
}
