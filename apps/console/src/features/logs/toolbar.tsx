import type { Log } from '@hub/contract'
import DownloadIcon from '@mui/icons-material/FileDownloadOutlined'
import RefreshIcon from '@mui/icons-material/RefreshOutlined'
import Box from '@mui/material/Box'
import IconButton from '@mui/material/IconButton'
import ToggleButton from '@mui/material/ToggleButton'
import Tooltip from '@mui/material/Tooltip'
import { useQuery } from '@tanstack/react-query'
import dayjs from 'dayjs'
import { api } from '../../api/index.ts'
import { download } from '../../ui/csv.ts'
import { Quota, useT } from '../../ui/index.ts'
import type { ListState } from '../../ui/table/list-url.ts'
import { inputOf } from '../../ui/table/rows.ts'
import { logsCsv } from './export.ts'

type Props = {
  isAdmin: boolean
  state: ListState
  fixed: object
  rows: readonly Log[]
  live: boolean
  setLive: (live: boolean) => void
}

export const Toolbar = ({ isAdmin, state, fixed, rows, live, setLive }: Props) => {
  const t = useT()
  const save = () =>
    download(`logs-${dayjs().format('YYYYMMDD-HHmmss')}.csv`, logsCsv(t, rows, isAdmin))
  return (
    <>
      {/* Only calls cost something. */}
      {(!('log_type' in fixed) || fixed.log_type === 2) && (
        <Total {...{ isAdmin, state, fixed, live }} />
      )}
      <Tooltip title={t('logs.autoRefresh')}>
        <ToggleButton
          value="live"
          size="small"
          selected={live}
          aria-label={t('logs.autoRefresh')}
          onChange={() => setLive(!live)}
          sx={{ width: 36, height: 36 }}
        >
          <RefreshIcon fontSize="small" />
        </ToggleButton>
      </Tooltip>
      <Tooltip title={t('logs.export')}>
        <span>
          <IconButton aria-label={t('logs.export')} disabled={rows.length === 0} onClick={save}>
            <DownloadIcon fontSize="small" />
          </IconButton>
        </span>
      </Tooltip>
    </>
  )
}

type TotalProps = Pick<Props, 'isAdmin' | 'state' | 'fixed' | 'live'>

/** What all rows of the filter cost together, not only those of the page. */
const Total = ({ isAdmin, state, fixed, live }: TotalProps) => {
  const t = useT()
  const call = isAdmin ? api.logs.stat : api.logs.selfStat
  const input = inputOf(call.endpoint, state, fixed)
  const { data } = useQuery({
    queryKey: ['logs', call.action, input],
    queryFn: ({ signal }) => call(input, signal),
    placeholderData: before => before,
    refetchInterval: live ? 5000 : false,
  })
  return (
    <Box component="span" aria-live="polite" sx={{ fontSize: 13, whiteSpace: 'nowrap', mr: 1 }}>
      <Box component="span" sx={{ color: 'text.secondary' }}>
        {t('logs.total')}{' '}
      </Box>
      <Box component="strong" sx={{ fontWeight: 600 }}>
        {data ? <Quota value={data.quota} exact /> : '–'}
      </Box>
    </Box>
  )
}
