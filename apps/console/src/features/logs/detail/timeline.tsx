import type { Log } from '@hub/contract'
import Box from '@mui/material/Box'
import Typography from '@mui/material/Typography'
import { Card, formatDuration, useT } from '../../../ui/index.ts'
import { type Phase, phasesOf } from './phases.ts'

const colours: Record<Phase['key'], string> = {
  queue: 'text.disabled',
  connect: 'warning.main',
  wait: 'info.main',
  first: 'info.light',
  before: 'info.main',
  answer: 'success.main',
}

/** The measured phases of an answered call as a waterfall. */
export const Timeline = ({ log }: { log: Log }) => {
  const t = useT()
  const phases = phasesOf(log)
  if (phases.length === 0) return null
  const total = Math.max(1, log.request_time)
  const isDetailed = phases.some(each => each.key === 'queue')
  return (
    <Card
      title={t('log.timeline.title')}
      intro={t('log.timeline.total', { total: formatDuration(log.request_time) })}
    >
      <Box component="ul" sx={{ listStyle: 'none', m: 0, p: 0 }}>
        {phases.map(({ key, from, to }) => (
          <Box
            key={key}
            component="li"
            sx={{
              display: 'grid',
              gridTemplateColumns: { xs: '1fr auto', sm: '200px 1fr 72px' },
              columnGap: 2,
              rowGap: 0.5,
              alignItems: 'center',
              fontSize: 13,
              py: 0.75,
            }}
          >
            <span>{t(`log.timeline.${key === 'answer' && !log.is_stream ? 'send' : key}`)}</span>
            <Box
              aria-hidden
              sx={{
                gridRow: { xs: 2, sm: 1 },
                gridColumn: { xs: '1 / -1', sm: 2 },
                height: 8,
                borderRadius: '4px',
                bgcolor: 'action.hover',
              }}
            >
              <Box
                sx={{
                  ml: `${Math.min(99.5, (100 * from) / total)}%`,
                  width: `${Math.max(0.5, (100 * (to - from)) / total)}%`,
                  height: '100%',
                  borderRadius: '4px',
                  bgcolor: colours[key],
                }}
              />
            </Box>
            <Box
              component="span"
              sx={{ textAlign: 'right', whiteSpace: 'nowrap', gridColumn: { sm: 3 } }}
            >
              {formatDuration(to - from)}
            </Box>
          </Box>
        ))}
      </Box>
      <Typography variant="caption" component="p" sx={{ color: 'text.secondary', mt: 1 }}>
        {t(isDetailed ? 'log.timeline.note' : 'log.timeline.older')}
      </Typography>
    </Card>
  )
}
