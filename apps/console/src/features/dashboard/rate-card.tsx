import Box from '@mui/material/Box'
import Typography from '@mui/material/Typography'
import { useQuery } from '@tanstack/react-query'
import { api, query } from '../../api'
import { Card, Count, ErrorState, Meter, useT } from '../../ui'

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
          <Box sx={{ mt: 1.5 }}>
            <Meter percent={percent} tone={tone} label={t('dashboard.rate')} />
          </Box>
        </>
      )}
    </Card>
  )
}
