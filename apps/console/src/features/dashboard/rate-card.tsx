import LinearProgress from '@mui/material/LinearProgress'
import Typography from '@mui/material/Typography'
import { useQuery } from '@tanstack/react-query'
import { api, query } from '../../api'
import { Card, Count, ErrorState, useT } from '../../ui'

/** Requests of the current minute compared with the limit of the group. */
export const RateCard = () => {
  const t = useT()
  const rate = useQuery({ ...query(api.profile.rate), refetchInterval: 15_000 })
  const percent = Math.round(rate.data?.usageRpmRate ?? 0)
  const tone = percent > 80 ? 'error' : percent > 50 ? 'warning' : 'success'
  return (
    <Card>
      <Typography variant="body2" component="h2" sx={{ color: 'text.secondary' }}>
        {t('dashboard.rate')}
      </Typography>
      {rate.isError ? (
        <ErrorState error={rate.error} retry={() => void rate.refetch()} />
      ) : (
        <>
          <Typography
            sx={{ fontSize: { xs: 20, sm: 28 }, fontWeight: 600, lineHeight: 1.25, mt: 0.5 }}
          >
            <Count value={rate.data?.rpm ?? 0} />
            <Typography component="span" sx={{ color: 'text.secondary', ml: 0.75 }}>
              / <Count value={rate.data?.maxRPM ?? 0} />
            </Typography>
          </Typography>
          <LinearProgress
            variant="determinate"
            color={tone}
            value={Math.min(100, percent)}
            aria-label={t('dashboard.rate')}
            sx={{ height: 6, borderRadius: 3, mt: 1.5, bgcolor: 'action.hover' }}
          />
        </>
      )}
    </Card>
  )
}
