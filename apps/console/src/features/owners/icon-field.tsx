import Avatar from '@mui/material/Avatar'
import OutlinedInput from '@mui/material/OutlinedInput'
import Stack from '@mui/material/Stack'
import { useT } from '../../ui/index.ts'

/** The icon of an owner, or the first letter of the name when there is none or it fails to load. */
export const OwnerIcon = ({ src, name }: { src: string; name: string }) => (
  <Avatar
    variant="rounded"
    src={/^https?:/.test(src) ? src : ''}
    alt=""
    slotProps={{ img: { referrerPolicy: 'no-referrer', loading: 'lazy' } }}
    sx={{ width: 24, height: 24, fontSize: 12, bgcolor: 'primary.light', color: 'primary.main' }}
  >
    {name.slice(0, 1).toUpperCase()}
  </Avatar>
)

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
        <OwnerIcon src={value} name="?" />
      </span>
    </Stack>
  )
}
