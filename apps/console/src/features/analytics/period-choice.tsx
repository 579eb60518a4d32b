import Box from '@mui/material/Box'
import ToggleButton from '@mui/material/ToggleButton'
import ToggleButtonGroup from '@mui/material/ToggleButtonGroup'
import { Field, useT } from '../../ui'
import { TimeInput } from '../../ui/form/time/input.tsx'
import { type AnalyticsScope, type PeriodName, periods } from './use-scope.ts'

const names = [...(Object.keys(periods) as PeriodName[]), 'custom'] as const

/** Chooses the days of the figures. The inputs of other days load the calendar, so that they appear on demand. */
export const PeriodChoice = ({ scope: { period, input, set } }: { scope: AnalyticsScope }) => {
  const t = useT()
  const { start_timestamp: start, end_timestamp: end } = input
  const choose = (next: (typeof names)[number]) =>
    next === 'custom'
      ? set({ period: '', start: String(start), end: String(end) })
      : set({ period: next, start: '', end: '' })
  return (
    <Box sx={{ display: 'flex', flexWrap: 'wrap', gap: 1.5, alignItems: 'end' }}>
      <ToggleButtonGroup
        exclusive
        size="small"
        value={period ?? 'custom'}
        onChange={(_, next: (typeof names)[number] | null) => next && choose(next)}
        aria-label={t('analytics.period')}
        sx={{
          width: { xs: '100%', sm: 'auto' },
          '& .MuiToggleButton-root': {
            px: { xs: 1, sm: 2 },
            flex: { xs: 'auto', sm: 'none' },
            whiteSpace: 'nowrap',
            height: 40,
          },
        }}
      >
        {names.map(each => (
          <ToggleButton key={each} value={each}>
            {t(`analytics.periods.${each}`)}
          </ToggleButton>
        ))}
      </ToggleButtonGroup>
      {!period && (
        <>
          <Box sx={timeStyle}>
            <Field label={t('analytics.from')}>
              {({ id }) => (
                <TimeInput id={id} value={start} set={at => at && set({ start: String(at) })} />
              )}
            </Field>
          </Box>
          <Box sx={timeStyle}>
            <Field label={t('analytics.to')}>
              {({ id }) => (
                <TimeInput id={id} value={end} set={at => at && set({ end: String(at) })} />
              )}
            </Field>
          </Box>
        </>
      )}
    </Box>
  )
}

const timeStyle = { width: { xs: '100%', sm: 220 } }
