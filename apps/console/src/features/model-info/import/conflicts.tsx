import Alert from '@mui/material/Alert'
import Box from '@mui/material/Box'
import Radio from '@mui/material/Radio'
import RadioGroup from '@mui/material/RadioGroup'
import Stack from '@mui/material/Stack'
import Typography from '@mui/material/Typography'
import { useT } from '../../../ui/index.ts'
import { type ImportMode, importModes } from './run.ts'

type Props = {
  count: number
  mode: ImportMode
  setMode: (mode: ImportMode) => void
  /** The result of an import that ended stands above instead of the warning. */
  result: unknown
}

/** Says how many models have an entry already, and what happens to those. */
export const Conflicts = ({ count, mode, setMode, result }: Props) => {
  const t = useT()
  return (
    <Stack spacing={1.5}>
      {!result && (
        <Alert severity="warning" variant="outlined">
          {t('model-info.import.conflicts', { count })}
        </Alert>
      )}
      <RadioGroup
        value={mode}
        aria-label={t('model-info.import.mode')}
        onChange={(_, next) => setMode(next as ImportMode)}
        sx={{
          display: 'grid',
          gap: 1.5,
          gridTemplateColumns: { xs: '1fr', sm: '1fr 1fr' },
        }}
      >
        {importModes.map(each => (
          <ModeCard key={each} mode={each} isChosen={each === mode} />
        ))}
      </RadioGroup>
    </Stack>
  )
}

const ModeCard = ({ mode, isChosen }: { mode: ImportMode; isChosen: boolean }) => {
  const t = useT()
  return (
    <Box
      component="label"
      sx={{
        display: 'flex',
        gap: 0.5,
        p: 1.5,
        pl: 0.5,
        cursor: 'pointer',
        border: '1px solid',
        borderColor: isChosen ? 'primary.main' : 'divider',
        borderRadius: 1,
      }}
    >
      <Radio value={mode} size="small" sx={{ alignSelf: 'flex-start', py: 0.25 }} />
      <span>
        <Typography component="span" sx={{ display: 'block', fontSize: 14, fontWeight: 500 }}>
          {t(`model-info.import.modes.${mode}`)}
        </Typography>
        <Typography component="span" variant="body2" sx={{ color: 'text.secondary' }}>
          {t(`model-info.import.explain.${mode}`)}
        </Typography>
      </span>
    </Box>
  )
}
