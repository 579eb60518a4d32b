import Stack from '@mui/material/Stack'
import ToggleButton from '@mui/material/ToggleButton'
import ToggleButtonGroup from '@mui/material/ToggleButtonGroup'
import Typography from '@mui/material/Typography'
import { useChoice } from './use-address.ts'

/** The chosen period, stored in the address. The first one is the default. */
export const usePeriod = <P extends string>(periods: readonly [P, ...P[]]) =>
  useChoice('period', periods)

type PeriodBarProps<P extends string> = {
  /** A sentence that says which calls the figures below count. */
  intro: string
  label: string
  periods: readonly P[]
  nameOf: (period: P) => string
  period: P
  setPeriod: (period: P) => void
}

/** Buttons that choose the period of the figures below. */
export const PeriodBar = <P extends string>(props: PeriodBarProps<P>) => {
  const { intro, label, periods, nameOf, period, setPeriod } = props
  return (
    <Stack
      direction={{ xs: 'column', sm: 'row' }}
      sx={{ justifyContent: 'space-between', alignItems: { sm: 'center' }, gap: 1.5 }}
    >
      <Typography variant="body2" sx={{ color: 'text.secondary' }}>
        {intro}
      </Typography>
      <ToggleButtonGroup
        exclusive
        size="small"
        value={period}
        onChange={(_, next: P | null) => next && setPeriod(next)}
        aria-label={label}
        sx={{
          '& .MuiToggleButton-root': {
            px: { xs: 1, sm: 2 },
            flex: { xs: 'auto', sm: 'none' },
            whiteSpace: 'nowrap',
          },
        }}
      >
        {periods.map(each => (
          <ToggleButton key={each} value={each}>
            {nameOf(each)}
          </ToggleButton>
        ))}
      </ToggleButtonGroup>
    </Stack>
  )
}
