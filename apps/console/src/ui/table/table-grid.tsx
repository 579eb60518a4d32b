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
import type { KeyboardEvent, ReactNode } from 'react'
import type { Call } from '../../api/client.ts'
import { useT } from '../use-t.ts'
import type { ListControl } from './list-state.ts'
import { nextOrder } from './list-url.ts'
import { orderFields } from './rows.ts'
import { type Column, cell } from './types.ts'
import type { Rows } from './use-rows.ts'

type GridProps<T extends object, E extends Endpoint> = {
  of: string
  list: Call<E>
  columns: readonly Column<T>[]
  order?: string
  rowKey: (row: T) => string | number
  rowActions?: (row: T) => ReactNode
  drawer?: unknown
  bulk?: unknown
  control: ListControl
  rows: Rows<T>
  compact: boolean
  chosen: readonly (string | number)[]
  setChosen: (chosen: readonly (string | number)[]) => void
}

/** What can be done with a row stays in sight where the table is wider than the screen. */
const pinned = {
  position: 'sticky',
  right: 0,
  bgcolor: 'background.paper',
  'tr:hover > &': {
    backgroundImage: 'linear-gradient(var(--mui-palette-action-hover) 0 0)',
  },
  'tr.Mui-selected > &': {
    backgroundImage: 'linear-gradient(rgba(var(--mui-palette-primary-mainChannel) / 0.08) 0 0)',
  },
}

export const TableGrid = <T extends object, E extends Endpoint>(props: GridProps<T, E>) => {
  const { of, columns, rowActions, bulk, rows, control, compact, chosen, setChosen, rowKey } = props
  const t = useT()
  const data = rows.page?.data ?? []
  const keys = data.map(rowKey)
  const all = keys.length > 0 && keys.every(key => chosen.includes(key))
  return (
    <TableContainer sx={{ maxHeight: { sm: 'max(320px, calc(100dvh - 300px))' } }}>
      <Table stickyHeader size="small" aria-rowcount={rows.page?.total_count ?? -1}>
        <caption style={visuallyHidden as object}>{t(`${of}.title`)}</caption>
        <TableHead>
          <TableRow>
            {Boolean(bulk) && (
              <TableCell padding="checkbox">
                <Checkbox
                  size="small"
                  checked={all}
                  indeterminate={!all && chosen.length > 0}
                  onChange={() => setChosen(all ? [] : keys)}
                  slotProps={{ input: { 'aria-label': t('common.chooseAll') } }}
                />
              </TableCell>
            )}
            {columns.map(column => (
              <Header key={column.key} {...props} column={column} />
            ))}
            {rowActions && (
              <TableCell align="right" sx={{ ...pinned, zIndex: 3 }}>
                <Box component="span" sx={visuallyHidden}>
                  {t('common.actions')}
                </Box>
              </TableCell>
            )}
          </TableRow>
        </TableHead>
        <TableBody>
          {rows.isLoading && <Ghosts {...props} count={Math.min(control.state.size, 10)} />}
          {data.map(row => (
            <Row key={rowKey(row)} {...props} row={row} height={compact ? 36 : 44} />
          ))}
        </TableBody>
      </Table>
    </TableContainer>
  )
}

const Header = <T extends object, E extends Endpoint>({
  of,
  list,
  column,
  control,
  order: initial = '',
}: GridProps<T, E> & { column: Column<T> }) => {
  const t = useT()
  const label = t(column.label ?? `${of}.fields.${column.key}`)
  const isSortable = column.sort ?? orderFields(list.endpoint).includes(column.key)
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

const Row = <T extends object, E extends Endpoint>(
  props: GridProps<T, E> & { row: T; height: number },
) => {
  const { row, height, columns, control, drawer, bulk, rowActions, chosen, setChosen } = props
  const t = useT()
  const key = props.rowKey(row)
  const open = drawer ? () => control.setOpen(String(key)) : undefined
  const isOpen = control.state.open === String(key)
  const byKey = (event: KeyboardEvent) => {
    if (event.target !== event.currentTarget || event.key !== 'Enter') return
    open?.()
  }
  const isChosen = chosen.includes(key)
  return (
    <TableRow
      hover
      selected={isOpen || isChosen}
      tabIndex={open ? 0 : undefined}
      onClick={() => String(window.getSelection() ?? '') === '' && open?.()}
      onKeyDown={byKey}
      sx={{
        height,
        cursor: open ? 'pointer' : 'default',
        '& td': { py: 0.5 },
        '&:last-of-type td': { borderBottom: 0 },
        '&:focus-visible': { outlineOffset: -2 },
      }}
    >
      {Boolean(bulk) && (
        <TableCell padding="checkbox" onClick={event => event.stopPropagation()}>
          <Checkbox
            size="small"
            checked={isChosen}
            onChange={() =>
              setChosen(isChosen ? chosen.filter(each => each !== key) : [...chosen, key])
            }
            slotProps={{ input: { 'aria-label': t('common.chooseRow', { id: String(key) }) } }}
          />
        </TableCell>
      )}
      {columns.map(column => (
        <TableCell key={column.key} align={column.align ?? 'left'}>
          {cell(column, row)}
        </TableCell>
      ))}
      {rowActions && (
        <TableCell
          align="right"
          sx={{ ...pinned, whiteSpace: 'nowrap' }}
          onClick={event => event.stopPropagation()}
        >
          {rowActions(row)}
        </TableCell>
      )}
    </TableRow>
  )
}

/** Rows of the right height while the first page loads, so that nothing jumps. */
const Ghosts = <T extends object, E extends Endpoint>({
  columns,
  rowActions,
  bulk,
  compact,
  count,
}: GridProps<T, E> & { count: number }) => {
  const cells = columns.length + (rowActions ? 1 : 0) + (bulk ? 1 : 0)
  return Array.from({ length: count }, (_, row) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: ghosts have no name and never move
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
