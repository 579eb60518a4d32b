import OutlinedInput from '@mui/material/OutlinedInput'
import Stack from '@mui/material/Stack'
import { ProviderMark } from '../../domain/index.ts'
import { useT } from '../../ui/index.ts'

type Props = { id: string; value: string; set: (value: string) => void; invalid: boolean }

export const IconField = ({ id, value, set, invalid }: Props) => {
  const t = useT()
  return (
    <Stack direction="row" spacing={1.5} sx={{ alignItems: 'center' }}>
      <OutlinedInput
        id={id}
        fullWidth
        type="url"
        placeholder="https://"
        value={value}
        error={invalid}
        onChange={event => set(event.target.value)}
      />
      <span title={t('owners.preview')}>
        <ProviderMark type={0} name="" icon={value} size={24} />
      </span>
    </Stack>
  )
}
