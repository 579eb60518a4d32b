import Alert from '@mui/material/Alert'
import Box from '@mui/material/Box'
import Stack from '@mui/material/Stack'
import ToggleButton from '@mui/material/ToggleButton'
import ToggleButtonGroup from '@mui/material/ToggleButtonGroup'
import Typography from '@mui/material/Typography'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useSearchParams } from 'react-router'
import { api, query } from '../../api'
import { ErrorState, formatTime, useT } from '../../ui'
import { timeZoneName } from '../../ui/values/format.ts'
import { AttentionCard } from './attention.tsx'
import { CallsChart, ChargedChart } from './charts.tsx'
import { ErrorCodes } from './error-codes.tsx'
import { chargesLink } from './links.ts'
import { HomeSkeleton, pairColumns, topColumns } from './skeleton.tsx'
import { Tiles } from './tiles.tsx'
import { TopCard } from './top-card.tsx'

const periods = ['today', 'week', 'month'] as const
type Period = (typeof periods)[number]
const refresh = { refetchInterval: 60_000, placeholderData: keepPreviousData }

/** The whole site for administrators. All parts appear together, so that none moves another one. */
export const OperationsHome = () => {
  const t = useT()
  const [period, setPeriod] = usePeriod()
  const overview = useQuery({ ...query(api.operations.overview, { period }), ...refresh })
  const attention = useQuery({ ...query(api.operations.attention), ...refresh })
  const failed = [overview, attention].find(each => each.isError && !each.data)
  if (failed) return <ErrorState error={failed.error} retry={() => void failed.refetch()} />
  if (!overview.data || !attention.data) return <HomeSkeleton />
  const { current, models, users, channels, groups } = overview.data
  const from = formatTime(current.begin).slice(0, 16)
  return (
    <>
      <Stack
        direction={{ xs: 'column', sm: 'row' }}
        sx={{ justifyContent: 'space-between', alignItems: { sm: 'center' }, gap: 1.5 }}
      >
        <Typography variant="body2" sx={{ color: 'text.secondary' }}>
          {t('operations.intro', { from, zone: timeZoneName() })}
        </Typography>
        <PeriodButtons period={period} setPeriod={setPeriod} />
      </Stack>
      {!overview.data.complete && (
        <Alert severity="info" variant="outlined">
          {t('operations.incomplete')}
        </Alert>
      )}
      {!overview.data.logging && (
        <Alert severity="warning" variant="outlined">
          {t('operations.noLogs')}
        </Alert>
      )}
      <Tiles overview={overview.data} />
      <Box sx={pairColumns}>
        <AttentionCard attention={attention.data} />
        <ChargedChart overview={overview.data} />
        <ErrorCodes attention={attention.data} />
        <CallsChart overview={overview.data} />
      </Box>
      <Box sx={topColumns}>
        <TopCard
          title={t('operations.top.models')}
          rows={models}
          linkOf={({ name }) => chargesLink(current.begin, { model_name: name })}
        />
        <TopCard
          title={t('operations.top.users')}
          rows={users}
          linkOf={({ name }) => chargesLink(current.begin, { username: name })}
        />
        <TopCard
          title={t('operations.top.channels')}
          rows={channels}
          linkOf={({ id }) => chargesLink(current.begin, { channel_id: id })}
        />
        <TopCard
          title={t('operations.top.groups')}
          intro={t('operations.top.groupsIntro')}
          rows={groups}
        />
      </Box>
    </>
  )
}

/** The chosen time, stored in the address. */
const usePeriod = (): [Period, (period: Period) => void] => {
  const [params, setParams] = useSearchParams()
  const period = periods.find(each => each === params.get('period')) ?? 'today'
  const set = (next: Period) =>
    setParams(
      now => {
        const changed = new URLSearchParams(now)
        changed.set('period', next)
        return changed
      },
      { replace: true, preventScrollReset: true },
    )
  return [period, set]
}

type PeriodProps = { period: Period; setPeriod: (period: Period) => void }

const PeriodButtons = ({ period, setPeriod }: PeriodProps) => {
  const t = useT()
  return (
    <ToggleButtonGroup
      exclusive
      size="small"
      value={period}
      onChange={(_, next: Period | null) => next && setPeriod(next)}
      aria-label={t('operations.period')}
      sx={{ '& .MuiToggleButton-root': { px: 2, flex: { xs: 1, sm: 'none' } } }}
    >
      {periods.map(each => (
        <ToggleButton key={each} value={each}>
          {t(`operations.periods.${each}`)}
        </ToggleButton>
      ))}
    </ToggleButtonGroup>
  )
}
