import type { Monitor } from '@hub/contract'
import Box from '@mui/material/Box'
import Stack from '@mui/material/Stack'
import Typography from '@mui/material/Typography'
import { useQuery } from '@tanstack/react-query'
import { api, query } from '../../api'
import { Card, EmptyState, ErrorState, useT } from '../../ui'

/** Uptime Kuma's states: 0 down, 1 up, 2 pending, 3 maintenance. */
const stateNames = ['down', 'up', 'pending', 'maintenance'] as const
const stateColors = ['error.main', 'success.main', 'warning.main', 'info.main'] as const
const heartbeatsShown = 50

/** The monitors of the site's status page, by group. */
export const Monitors = () => {
  const t = useT()
  const page = useQuery({ ...query(api.statistics.statusPage), refetchInterval: 60_000 })
  if (page.isError) return <ErrorState error={page.error} retry={() => void page.refetch()} />
  if (!page.data) return null
  const groups = page.data.groups.filter(each => each.monitors.length > 0)
  return (
    <Card title={t('monitors.title')}>
      {groups.length === 0 && <EmptyState title={t('monitors.empty')} />}
      <Stack spacing={2.5}>
        {groups.map(group => (
          <Box key={group.name} component="section" aria-label={group.name}>
            <Typography variant="body2" component="h3" sx={{ fontWeight: 600, mb: 1 }}>
              {group.name}
            </Typography>
            <Box
              sx={{
                ...{ display: 'grid', gap: 1.5 },
                gridTemplateColumns: {
                  sm: 'repeat(2, minmax(0, 1fr))',
                  lg: 'repeat(4, minmax(0, 1fr))',
                },
              }}
            >
              {group.monitors.map(monitor => (
                <MonitorCard key={monitor.id} monitor={monitor} />
              ))}
            </Box>
          </Box>
        ))}
      </Stack>
    </Card>
  )
}

/** One Hub's bounds: green from 90 %, yellow above 70 %. */
const availabilityColor = (uptime: number | null) => {
  if (uptime === null) return 'text.secondary'
  if (uptime >= 0.9) return 'success.main'
  return uptime > 0.7 ? 'warning.main' : 'error.main'
}

const MonitorCard = ({ monitor: { name, status, uptime, heartbeats } }: { monitor: Monitor }) => {
  const t = useT()
  const state = status === null ? 'unknown' : stateNames[status]
  const missing = Array.from({ length: heartbeatsShown - heartbeats.length }, (_, n) => n)
  return (
    <Box
      sx={{
        ...{ border: '1px solid', borderRadius: '8px', p: 1.5, minWidth: 0 },
        borderColor: status === 0 ? 'error.main' : 'divider',
      }}
    >
      <Stack direction="row" spacing={1} sx={{ alignItems: 'baseline' }}>
        <Typography variant="body2" sx={{ flex: 1, minWidth: 0, fontWeight: 500 }} noWrap>
          {name}
        </Typography>
        <Typography
          component="span"
          sx={{
            fontSize: 13,
            color: availabilityColor(uptime),
            fontVariantNumeric: 'tabular-nums',
          }}
        >
          {uptime === null ? '–' : `${(uptime * 100).toFixed(2)}%`}
        </Typography>
      </Stack>
      <Typography variant="caption" component="p" sx={{ color: 'text.secondary' }}>
        {t(`monitors.states.${state}`)}
      </Typography>
      <Box aria-hidden sx={{ display: 'flex', gap: '1px', height: 18, mt: 0.75 }}>
        {missing.map(n => (
          <Box key={n} sx={{ flex: 1, bgcolor: 'divider', borderRadius: '1px' }} />
        ))}
        {heartbeats.map(each => (
          <Box
            key={each.time}
            title={`${t(`monitors.states.${stateNames[each.status] ?? 'unknown'}`)} · ${each.time.slice(0, 19)} UTC`}
            sx={{ flex: 1, bgcolor: stateColors[each.status], borderRadius: '1px' }}
          />
        ))}
      </Box>
    </Box>
  )
}
