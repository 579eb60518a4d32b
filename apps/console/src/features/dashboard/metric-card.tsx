import Box from '@mui/material/Box'
import Skeleton from '@mui/material/Skeleton'
import Stack from '@mui/material/Stack'
import Typography from '@mui/material/Typography'
import type { ReactNode } from 'react'
import { Card, Sparkline, useT } from '../../ui'
import { changeOf } from './week.ts'

type Props = { title: string; value: ReactNode; history: readonly number[]; isLoading: boolean }

/** The value and its comparison; a card has this height before they are known too. */
const bodyHeight = 64

/** One metric of today, compared with yesterday and the days before. */
export const MetricCard = ({ title, value, history, isLoading }: Props) => {
  const t = useT()
  const yesterday = history.at(-2) ?? 0
  const change = changeOf(history.at(-1) ?? 0, yesterday)
  const sign = change > 0 ? '+' : ''
  return (
    <Card>
      <Typography variant="body2" component="h2" sx={{ color: 'text.secondary' }}>
        {title}
      </Typography>
      {isLoading ? (
        <Skeleton height={bodyHeight} width="60%" sx={{ mt: 0.5 }} />
      ) : (
        <Box sx={{ mt: 0.5, minHeight: bodyHeight }}>
          <Stack
            direction="row"
            spacing={1.5}
            sx={{ justifyContent: 'space-between', alignItems: 'center' }}
          >
            <Typography sx={{ fontSize: { xs: 20, sm: 28 }, fontWeight: 600, lineHeight: 1.25 }}>
              {value}
            </Typography>
            <Box sx={{ display: { xs: 'none', sm: 'block' } }}>
              <Sparkline values={history} label={t('dashboard.lastSevenDays', { what: title })} />
            </Box>
          </Stack>
          <Typography variant="caption" sx={{ color: 'text.secondary' }}>
            {yesterday === 0
              ? t('dashboard.noYesterday')
              : t('dashboard.versusYesterday', { change: `${sign}${change}%` })}
          </Typography>
        </Box>
      )}
    </Card>
  )
}
