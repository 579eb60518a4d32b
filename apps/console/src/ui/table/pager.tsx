import type { Page } from '@hub/contract'
import TablePagination from '@mui/material/TablePagination'
import { useT } from '../../locales/use-t.ts'
import { formatCount } from '../values/format.ts'
import type { ListControl } from './state/list-state.ts'
import { pageSizes } from './state/list-url.ts'

/** Totals are counted up to this number. */
const countedMax = 10_000

type Props = { control: ListControl; page: Page<object> | undefined }

export const Pager = ({ control, page }: Props) => {
  const t = useT()
  const { state, setPage, setSize } = control
  const total = page?.total_count ?? 0
  const isExact = page?.total_exact !== false
  const last = Math.max(0, Math.ceil(total / state.size) - 1)
  const isFull = page?.data.length === state.size
  // The order of time has a cursor for each next page, however far it is.
  const turn = (next: number) => setPage(next, next === state.page + 1 ? (page?.next ?? '') : '')
  return (
    <TablePagination
      component="div"
      // A total that is not counted has no last page.
      count={isExact ? total : -1}
      page={isExact ? Math.min(state.page - 1, last) : state.page - 1}
      rowsPerPage={state.size}
      rowsPerPageOptions={[...pageSizes]}
      showFirstButton
      showLastButton={isExact}
      onPageChange={(_, next) => turn(next + 1)}
      onRowsPerPageChange={event => setSize(Number(event.target.value))}
      labelRowsPerPage={t('common.rowsPerPage')}
      labelDisplayedRows={({ from, to }) =>
        t(isExact ? 'common.rowsOf' : 'common.rowsAtLeast', {
          from: formatCount(from),
          to: formatCount(isExact ? to : from - 1 + (page?.data.length ?? 0)),
          all: formatCount(isExact ? total : Math.max(countedMax, total - (total % countedMax))),
        })
      }
      getItemAriaLabel={type => t(`common.pages.${type}`)}
      slotProps={{
        actions: isExact ? {} : { nextButton: { disabled: !isFull } },
        select: { inputProps: { 'aria-label': t('common.rowsPerPage') } },
      }}
      sx={{
        // The first rows move the pager to its place.
        visibility: page ? 'visible' : 'hidden',
        borderTop: '1px solid',
        borderColor: 'divider',
        overflow: 'hidden',
        fontSize: 13,
        '& .MuiTablePagination-toolbar': { minHeight: 48, px: { xs: 1, sm: 2 } },
        '& .MuiTablePagination-selectLabel': { display: { xs: 'none', sm: 'block' } },
        '& .MuiTablePagination-actions': { ml: { xs: 0.5, sm: 2 } },
        '& .MuiIconButton-root': { p: 0.75 },
        '& p': { fontSize: 13, my: 0 },
      }}
    />
  )
}
