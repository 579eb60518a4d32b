import Alert from '@mui/material/Alert'
import Box from '@mui/material/Box'
import Skeleton from '@mui/material/Skeleton'
import ToggleButton from '@mui/material/ToggleButton'
import ToggleButtonGroup from '@mui/material/ToggleButtonGroup'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { api, query } from '../../api'
import { ErrorState, Page, useAddress, useT } from '../../ui'
import { Charts, chartColumns } from './charts.tsx'
import { CompareUsers } from './compare-users.tsx'
import { Toolbar } from './toolbar.tsx'
import { Totals } from './totals.tsx'
import { useScope } from './use-scope.ts'

const views = ['site', 'users'] as const
type AnalyticsView = (typeof views)[number]

/** Charges, calls, users and payments of the whole site by day, and some users compared. */
export const AnalyticsPage = () => {
  const t = useT()
  const [params, change] = useAddress()
  const view = views.find(each => each === params.get('view')) ?? 'site'
  return (
    <Page title={t('analytics.title')} intro={t('analytics.intro')}>
      <ToggleButtonGroup
        exclusive
        size="small"
        value={view}
        onChange={(_, next: AnalyticsView | null) =>
          next && change({ view: next === 'site' ? '' : next }, { clear: true })
        }
        aria-label={t('analytics.view')}
        sx={{ mb: 2, '& .MuiToggleButton-root': { px: 2 } }}
      >
        {views.map(each => (
          <ToggleButton key={each} value={each}>
            {t(`analytics.views.${each}`)}
          </ToggleButton>
        ))}
      </ToggleButtonGroup>
      {view === 'site' ? <Site /> : <CompareUsers />}
    </Page>
  )
}

const Site = () => {
  const t = useT()
  const scope = useScope()
  const { data, error, refetch } = useQuery({
    ...query(api.analytics.period, scope.input),
    placeholderData: keepPreviousData,
  })
  return (
    <>
      <Toolbar scope={scope} />
      <Box sx={{ mb: 2 }}>
        <Totals />
      </Box>
      {data && !data.complete && (
        <Alert severity="info" variant="outlined" sx={{ mb: 2 }}>
          {t('analytics.incomplete')}
        </Alert>
      )}
      {error && <ErrorState error={error} retry={() => void refetch()} />}
      {!error && data && <Charts figures={data} input={scope.input} />}
      {!error && !data && <ChartsSkeleton />}
    </>
  )
}

/** Has the dimensions of the charts that replace it. */
const ChartsSkeleton = () => (
  <Box sx={chartColumns}>
    {['charged', 'requests', 'tokens', 'latency'].map(each => (
      <Skeleton key={each} variant="rounded" height={396} />
    ))}
  </Box>
)
