import FormControlLabel from '@mui/material/FormControlLabel'
import Radio from '@mui/material/Radio'
import RadioGroup from '@mui/material/RadioGroup'
import { useT } from '../../../ui/index.ts'
import type { ChannelValues } from '../form/channel-values.ts'

type KeyMode = ChannelValues['key_mode']
type Props = { mode: KeyMode; setMode: (mode: KeyMode) => void; count: number }

/** Several new keys make several channels, or one that uses them all. */
export const KeyModeField = ({ mode, setMode, count }: Props) => {
  const t = useT()
  return (
    <RadioGroup
      value={mode}
      aria-label={t('channels.fields.key_mode')}
      onChange={(_, next) => setMode(next as KeyMode)}
      sx={{ mt: 0.5 }}
    >
      {(['channel_per_key', 'one_channel'] as const).map(each => (
        <FormControlLabel
          key={each}
          value={each}
          control={<Radio size="small" />}
          label={t(`channels.options.key_mode.${each}`, { count })}
          sx={{ '& .MuiFormControlLabel-label': { fontSize: 13 } }}
        />
      ))}
    </RadioGroup>
  )
}
