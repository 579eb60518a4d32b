import DownloadIcon from 'virtual:icons/file-download'
import RefreshIcon from 'virtual:icons/refresh'
import Box from '@mui/material/Box'
import IconButton from '@mui/material/IconButton'
import ToggleButton from '@mui/material/ToggleButton'
import Tooltip from '@mui/material/Tooltip'
import { useQuery } from '@tanstack/react-query'
import { api } from '../../api/index.ts'
import { Quota } from '../../domain/index.ts'
import { useT } from '../../ui/index.ts'
import type { ListState } from '../../ui/table/state/list-url.ts'
import { listInput } from '../../ui/table/state/rows.ts'
import { exportAddress } from './export-address.ts'
import { useHistogram } from './histogram.tsx'
import { SavedFilters } from './saved-filters.tsx'

type Props = {
  isAdmin: boolean
  state: ListState
  fixed: object
  isLive: boolean
  setIsLive: (isLive: boolean) => void
}

export const Toolbar = ({ isAdmin, state, fixed, isLive, setIsLive }: Props) => {
  const t = useT()
  // The file has what the list shows.
  const since = useHistogram({ isAdmin, state, fixed, isLive }).data?.since ?? undefined
  return (
    <>
      {/* Only calls have a cost. */}
      {(!('log_type' in fixed) || fixed.log_type === 2) && (
        <Total {...{ isAdmin, state, fixed, isLive }} />
      )}
      <Tooltip title={t('logs.autoRefresh')}>
        <ToggleButton
          value="live"
          size="small"
          selected={isLive}
          aria-label={t('logs.autoRefresh')}
          onChange={() => setIsLive(!isLive)}
          sx={{ width: 36, height: 36 }}
        >
          <RefreshIcon fontSize="small" />
        </ToggleButton>
      </Tooltip>
      <Tooltip title={t('logs.export')}>
        <IconButton
          component="a"
          aria-label={t('logs.export')}
          href={exportAddress(isAdmin, state, fixed, since)}
          download
        >
          <DownloadIcon fontSize="small" />
        </IconButton>
      </Tooltip>
      <SavedFilters />
    </>
  )
}

type TotalProps = Pick<Props, 'isAdmin' | 'state' | 'fixed' | 'isLive'>

/** The total cost of all rows that match the filters, not only of this page. */
const Total = ({ isAdmin, state, fixed, isLive }: TotalProps) => {
  const t = useT()
  const call = isAdmin ? api.logs.stat : api.logs.selfStat
  const input = listInput(call, state, fixed)
  const { data } = useQuery({
    queryKey: ['logs', call.action, input],
    queryFn: ({ signal }) => call(input, signal),
    placeholderData: before => before,
    refetchInterval: isLive ? 5000 : false,
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
