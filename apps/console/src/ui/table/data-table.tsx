import type { Endpoint } from '@hub/contract'
import Box from '@mui/material/Box'
import Stack from '@mui/material/Stack'
import useMediaQuery from '@mui/material/useMediaQuery'
import { type ReactNode, useState } from 'react'
import type { Call } from '../../api/client.ts'
import { EmptyState, ErrorState } from '../feedback/states.tsx'
import { useOptionalT, useT } from '../use-t.ts'
import { BulkBar } from './bulk-bar.tsx'
import { CardList } from './card-list.tsx'
import { ColumnMenu } from './column-menu.tsx'
import { FilterBar, FilterChips } from './filters.tsx'
import { useListState } from './list-state.ts'
import { Pager } from './pager.tsx'
import { readCompact, readHiddenColumns, writeCompact, writeHiddenColumns } from './preferences.ts'
import { RowDrawer } from './row-drawer.tsx'
import { TableGrid } from './table-grid.tsx'
import type { CardShape, Column, Filter } from './types.ts'
import { useRows } from './use-rows.ts'

export type DataTableProps<T extends object, E extends Endpoint> = {
  /** The resource: names headers, empty texts and what is remembered of this table. */
  of: string
  list: Call<E>
  columns: readonly Column<T>[]
  filters?: readonly Filter[]
  /** Input that is always sent, whatever the address says. */
  fixed?: object
  order?: string
  rowKey?: (row: T) => string | number
  rowActions?: (row: T) => ReactNode
  drawer?: (row: T, close: () => void) => ReactNode
  drawerTitle?: (row: T) => ReactNode
  card?: CardShape<T>
  empty?: { title?: string; text?: string; action?: ReactNode }
  bulk?: (chosen: readonly (string | number)[], clear: () => void) => ReactNode
  refreshSeconds?: number
  /** Beside the filters: a sum, an export, a switch. */
  above?: ReactNode
}

const idOf = (row: object): string | number => Reflect.get(row, 'id') as number

/** A list from the server: paged, sorted and filtered in the address; a table, on phones a list of cards. */
export const DataTable = <T extends object, E extends Endpoint>(props: DataTableProps<T, E>) => {
  const { of, columns, filters = [], order = '', rowKey = idOf, above, bulk } = props
  const t = useT()
  const isPhone = useMediaQuery('(max-width: 599.95px)')
  const control = useListState({ of, order, filterKeys: filters.map(each => each.key) })
  const rows = useRows<T>(props, control.state)
  const [chosen, setChosen] = useState<readonly (string | number)[]>([])
  const looks = useLooks(of, columns)
  const isFiltered = Object.keys(control.state.filters).length > 0
  const isEmpty = rows.page?.data.length === 0 && !rows.error
  const openRow = rows.page?.data.find(row => String(rowKey(row)) === control.state.open)

  return (
    <Stack spacing={1.5}>
      <Stack direction="row" sx={{ alignItems: 'center', flexWrap: 'wrap', gap: 1 }}>
        <FilterBar {...{ of, filters, control, isPhone }} />
        <Box
          sx={{
            flex: { xs: above ? '1 0 100%' : '0 0 auto', sm: 1 },
            minWidth: 0,
            display: { xs: above ? 'flex' : 'none', sm: 'flex' },
            justifyContent: 'flex-end',
            gap: 1,
            alignItems: 'center',
          }}
        >
          {above}
          {!isPhone && <ColumnMenu {...{ of, columns }} looks={looks} />}
        </Box>
      </Stack>
      <FilterChips {...{ of, filters, control }} />
      {rows.error !== null && <ErrorState error={rows.error} retry={rows.retry} />}
      <Box
        sx={{
          bgcolor: 'background.paper',
          border: '1px solid',
          borderColor: 'divider',
          borderRadius: '12px',
          overflow: 'hidden',
          opacity: rows.isStale ? 0.65 : 1,
          transition: 'opacity 150ms',
        }}
        aria-busy={rows.isLoading}
      >
        {isEmpty ? (
          <Nothing {...props} isFiltered={isFiltered} clear={control.clearFilters} />
        ) : isPhone && props.card ? (
          <CardList {...props} {...{ rowKey, card: props.card, control, rows }} />
        ) : (
          <TableGrid
            {...props}
            {...{ rowKey, control, rows, chosen, setChosen }}
            columns={looks.shown}
            compact={looks.compact}
          />
        )}
        {!isEmpty && <Pager control={control} page={rows.page} />}
      </Box>
      {bulk && chosen.length > 0 && (
        <BulkBar count={chosen.length} clear={() => setChosen([])}>
          {bulk(chosen, () => setChosen([]))}
        </BulkBar>
      )}
      {props.drawer && (
        <RowDrawer
          row={openRow}
          title={openRow && (props.drawerTitle?.(openRow) ?? t('common.details'))}
          close={() => control.setOpen('')}
        >
          {props.drawer}
        </RowDrawer>
      )}
    </Stack>
  )
}

const useLooks = <T,>(of: string, columns: readonly Column<T>[]) => {
  const usual = columns.filter(each => each.hidden).map(each => each.key)
  const [hidden, setHidden] = useState(() => readHiddenColumns(of) ?? usual)
  const [compact, setCompact] = useState(readCompact)
  return {
    hidden,
    compact,
    shown: columns.filter(each => !hidden.includes(each.key)),
    toggle: (key: string) => {
      const next = hidden.includes(key) ? hidden.filter(each => each !== key) : [...hidden, key]
      setHidden(next)
      writeHiddenColumns(of, next)
    },
    toggleCompact: () => {
      setCompact(!compact)
      writeCompact(!compact)
    },
  }
}
export type Looks = Omit<ReturnType<typeof useLooks>, 'shown'>

type NothingProps = Pick<DataTableProps<object, Endpoint>, 'of' | 'empty'> & {
  isFiltered: boolean
  clear: () => void
}

const Nothing = ({ of, empty, isFiltered, clear }: NothingProps) => {
  const t = useT()
  const optional = useOptionalT()
  if (isFiltered)
    return (
      <EmptyState
        title={t('common.noMatch')}
        text={t('common.noMatchText')}
        action={<ClearButton onClick={clear} />}
      />
    )
  return (
    <EmptyState
      title={empty?.title ?? optional(`${of}.empty.title`) ?? t('common.nothingYet')}
      text={empty?.text ?? optional(`${of}.empty.text`)}
      // On a phone the page's own button stands at its foot already.
      action={
        empty?.action && <Box sx={{ display: { xs: 'none', sm: 'block' } }}>{empty.action}</Box>
      }
    />
  )
}

const ClearButton = ({ onClick }: { onClick: () => void }) => {
  const t = useT()
  return (
    <Box
      component="button"
      onClick={onClick}
      sx={{
        border: 0,
        bgcolor: 'transparent',
        color: 'primary.main',
        font: 'inherit',
        cursor: 'pointer',
      }}
    >
      {t('common.clearFilters')}
    </Box>
  )
}
