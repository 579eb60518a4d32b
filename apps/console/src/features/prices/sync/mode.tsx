import { type SyncMode, syncModes } from '@hub/contract'
import Box from '@mui/material/Box'
import ToggleButton from '@mui/material/ToggleButton'
import ToggleButtonGroup from '@mui/material/ToggleButtonGroup'
import Typography from '@mui/material/Typography'
import { useT } from '../../../ui/index.ts'

type Props = { mode: SyncMode; setMode: (mode: SyncMode) => void }

/** Selects the update mode, with an explanation of the selected mode. */
export const ModeChoice = ({ mode, setMode }: Props) => {
  const t = useT()
  return (
    <Box>
      <ToggleButtonGroup
        exclusive
        size="small"
        value={mode}
        aria-label={t('prices.sync.mode')}
        onChange={(_, next: SyncMode | null) => next && setMode(next)}
      >
        {syncModes.map(each => (
          <ToggleButton key={each} value={each} sx={{ px: 1.5 }}>
            {t(`prices.sync.modes.${each}`)}
          </ToggleButton>
        ))}
      </ToggleButtonGroup>
      <Typography variant="body2" sx={{ color: 'text.secondary', mt: 0.75 }}>
        {t(`prices.sync.explain.${mode}`)}
      </Typography>
    </Box>
  )
}
