import Box from '@mui/material/Box'
import ButtonBase from '@mui/material/ButtonBase'
import { formatCount, useT } from '../../ui/index.ts'
import { type ResultState, resultStates } from './grid.ts'
import { StateIcon } from './state.tsx'

type Props = {
  counts: Record<ResultState, number>
  selected: string
  onSelect: (state: string) => void
}

/** The number of cells per result with an explanation; a click filters by that result. */
export const ResultCounts = ({ counts, selected, onSelect }: Props) => {
  const t = useT()
  return (
    <Box
      role="group"
      aria-label={t('conformance.filter')}
      sx={{
        display: 'grid',
        gap: { xs: 1, sm: 1.5 },
        gridTemplateColumns: { xs: '1fr 1fr', md: 'repeat(4, 1fr)' },
      }}
    >
      {resultStates.map(state => (
        <ButtonBase
          key={state}
          aria-pressed={selected === state}
          onClick={() => onSelect(selected === state ? '' : state)}
          sx={{
            ...tile,
            ...(selected === state && {
              borderColor: 'primary.main',
              boxShadow: 'inset 0 0 0 1px var(--mui-palette-primary-main)',
            }),
          }}
        >
          <Box
            component="span"
            sx={{ display: 'flex', alignItems: 'center', gap: 0.75, fontSize: 13, fontWeight: 500 }}
          >
            <StateIcon state={state} />
            {t(`conformance.states.${state}`)}
          </Box>
          <Box component="span" sx={{ fontSize: 20, fontWeight: 600, lineHeight: 1.35 }}>
            {formatCount(counts[state])}
          </Box>
          <Box component="span" sx={{ fontSize: 12, lineHeight: 1.45, color: 'text.secondary' }}>
            {t(`conformance.help.${state}`)}
          </Box>
        </ButtonBase>
      ))}
    </Box>
  )
}

const tile = {
  display: 'flex',
  flexDirection: 'column',
  alignItems: 'flex-start',
  justifyContent: 'flex-start',
  textAlign: 'left',
  font: 'inherit',
  gap: 0.25,
  p: { xs: 1.5, sm: 2 },
  border: '1px solid',
  borderColor: 'divider',
  borderRadius: '12px',
  bgcolor: 'background.paper',
  '&:hover': { bgcolor: 'action.hover' },
} as const
