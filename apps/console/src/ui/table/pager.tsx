import type { Page } from '@hub/contract'
import TablePagination from '@mui/material/TablePagination'
import { useT } from '../../locales/use-t.ts'
import { formatCount } from '../values/numbers.ts'
import type { ListControl } from './state/list-state.ts'
import { pageSizes } from './state/list-url.ts'

type Props = { control: ListControl; page: Page<object> | undefined }

export const Pager = ({ control, page }: Props) => {
  const t = useT()
  const { state, setPage, setSize } = control
  const total = page?.total_count ?? 0
  const last = Math.max(0, Math.ceil(total / state.size) - 1)
  return (
    <TablePagination
      component="div"
      count={total}
      page={Math.min(state.page - 1, last)}
      rowsPerPage={state.size}
      rowsPerPageOptions={[...pageSizes]}
      showFirstButton
      showLastButton
      onPageChange={(_, next) => setPage(next + 1)}
      onRowsPerPageChange={event => setSize(Number(event.target.value))}
      labelRowsPerPage={t('common.rowsPerPage')}
      labelDisplayedRows={({ from, to, count }) =>
        t(page?.total_exact === false ? 'common.rowsAbout' : 'common.rowsOf', {
          from: formatCount(from),
          to: formatCount(to),
          all: formatCount(count),
        })
      }
      getItemAriaLabel={type => t(`common.pages.${type}`)}
      slotProps={{ select: { inputProps: { 'aria-label': t('common.rowsPerPage') } } }}
      sx={{
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
