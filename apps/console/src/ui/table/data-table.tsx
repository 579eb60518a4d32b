import type { Endpoint } from '@hub/contract'
import Box from '@mui/material/Box'
import Stack from '@mui/material/Stack'
import useMediaQuery from '@mui/material/useMediaQuery'
import { type ReactNode, useState } from 'react'
import type { Call } from '../../api/client.ts'
import { useT } from '../../locales/use-t.ts'
import { ErrorState } from '../feedback/states.tsx'
import { CardList } from './card-list.tsx'
import { ColumnMenu } from './column-menu.tsx'
import { EmptyTable } from './empty-table.tsx'
import { FilterBar, FilterChips } from './filters/filter-bar.tsx'
import { PageKeys } from './page-keys.ts'
import { Pager } from './pager.tsx'
import { RowDrawer } from './row-drawer.tsx'
import { BulkBar } from './selection/bulk-bar.tsx'
import { useListState } from './state/list-state.ts'
import { useRecord } from './state/use-record.ts'
import { useRows } from './state/use-rows.ts'
import { TableGrid } from './table-grid.tsx'
import type { CardShape, Column, Filter, RowKey } from './types.ts'
import { useColumnState } from './use-column-state.ts'

export type DataTableProps<T extends object, E extends Endpoint> = {
  /** Prefix of the locale keys for headers and empty texts, and the key of the remembered preferences. */
  resource: string
  list: Call<E>
  columns: readonly Column<T>[]
  filters?: readonly Filter[]
  /** Input that is sent with every request, whatever the URL contains. */
  fixedInput?: object
  order?: string
  /** Rows that stand above the others in the default order. Only for lists without pages. */
  isFirst?: (row: T) => boolean
  /** The text that the keyword is searched in. Only for lists without pages; by default all values of the row. */
  searchText?: (row: T) => string
  rowKey?: (row: T) => RowKey
  rowActions?: (row: T) => ReactNode
  drawer?: (row: T, close: () => void) => ReactNode
  drawerTitle?: (row: T) => ReactNode
  /** Finds the record of an address that is not among the rows. */
  get?: Parameters<typeof useRecord>[0]['get']
  card?: CardShape<T>
  empty?: { title?: string; text?: string; action?: ReactNode }
  bulkActions?: (selected: readonly RowKey[], clear: () => void) => ReactNode
  refreshSeconds?: number
  /** Shown next to the filters, such as a sum, an export or a switch. */
  toolbar?: ReactNode
}

const idOf = (row: object): RowKey => Reflect.get(row, 'id') as number

/** A server list whose page, order and filters live in the URL. On phones the rows are cards. */
export const DataTable = <T extends object, E extends Endpoint>(props: DataTableProps<T, E>) => {
  const { resource, columns, filters = [], order = '', rowKey = idOf, toolbar, drawer } = props
  const t = useT()
  const isPhone = useMediaQuery('(max-width: 599.95px)')
  const control = useListState({ resource, order, filterKeys: filters.map(each => each.key) })
  const rows = useRows<T>(props, control.state)
  const [selected, setSelected] = useState<readonly RowKey[]>([])
  const columnState = useColumnState(resource, columns)
  const isFiltered = Object.keys(control.state.filters).length > 0
  const isEmpty = rows.page?.data.length === 0 && !rows.error
  const listed = rows.page?.data.find(row => String(rowKey(row)) === control.state.open)
  const isUnlisted = rows.page !== undefined && !listed && control.state.open !== ''
  const unlisted = useRecord<T>(props, isUnlisted ? control.state.open : undefined)
  const openRow = listed ?? unlisted
  const clearSelection = () => setSelected([])

  return (
    <Stack spacing={1.5}>
      <Stack direction="row" sx={{ alignItems: 'center', flexWrap: 'wrap', gap: 1 }}>
        <FilterBar {...{ resource, filters, control, isPhone }} />
        <Box sx={toolbarStyle(Boolean(toolbar))}>
          {toolbar}
          {!isPhone && <ColumnMenu {...{ resource, columns, columnState }} />}
        </Box>
      </Stack>
      <FilterChips {...{ resource, filters, control }} />
      {rows.error !== null && <ErrorState error={rows.error} retry={rows.retry} />}
      <PageKeys value={rows.page?.data.map(rowKey) ?? []}>
        <Box sx={{ ...framed, opacity: rows.isStale ? 0.65 : 1 }} aria-busy={rows.isLoading}>
          {isEmpty ? (
            <EmptyTable
              {...props}
              isFiltered={isFiltered}
              clearFilters={control.clearFilters}
              toFirstPage={control.state.page > 1 ? () => control.setPage(1) : undefined}
            />
          ) : isPhone && props.card ? (
            <CardList
              {...props}
              {...{ rowKey, card: props.card, control, rows, selected, setSelected }}
            />
          ) : (
            <TableGrid
              {...props}
              {...{ rowKey, control, rows, selected, setSelected }}
              columns={columnState.visible}
              compact={columnState.compact}
            />
          )}
          {!isEmpty && <Pager control={control} page={rows.page} />}
        </Box>
      </PageKeys>
      {props.bulkActions && selected.length > 0 && (
        <BulkBar count={selected.length} clear={clearSelection}>
          {props.bulkActions(selected, clearSelection)}
        </BulkBar>
      )}
      {drawer && (
        <RowDrawer
          row={openRow}
          title={openRow && (props.drawerTitle?.(openRow) ?? t('common.details'))}
          close={control.closeRow}
        >
          {drawer}
        </RowDrawer>
      )}
    </Stack>
  )
}

const toolbarStyle = (hasToolbar: boolean) => ({
  flex: { xs: hasToolbar ? '1 0 100%' : '0 0 auto', sm: 1 },
  minWidth: 0,
  display: { xs: hasToolbar ? 'flex' : 'none', sm: 'flex' },
  justifyContent: 'flex-end',
  gap: 1,
  alignItems: 'center',
})

const framed = {
  bgcolor: 'background.paper',
  border: '1px solid',
  borderColor: 'divider',
  borderRadius: '12px',
  overflow: 'hidden',
  transition: 'opacity 150ms',
}
