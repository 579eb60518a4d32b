import OutlinedInput from '@mui/material/OutlinedInput'
import Typography from '@mui/material/Typography'
import { mono, useT } from '../../../ui/index.ts'
import { prettyJson, readObject } from './stored-text.ts'

type Props = {
  id: string
  describedBy: string | undefined
  value: string
  set: (text: string) => void
  label: string
  placeholder?: string
  /** Default: a JSON object or an empty text is valid. */
  isValid?: boolean
}

/** A JSON editor that validates on input and formats on blur. */
export const JsonField = ({ id, describedBy, value, set, label, placeholder, isValid }: Props) => {
  const t = useT()
  const isAccepted = isValid ?? (value.trim() === '' || readObject(value) !== undefined)
  return (
    <>
      <OutlinedInput
        id={id}
        fullWidth
        multiline
        minRows={4}
        maxRows={16}
        value={value}
        error={!isAccepted}
        placeholder={placeholder ?? '{}'}
        inputProps={{ 'aria-label': label, 'aria-describedby': describedBy, spellCheck: false }}
        onChange={event => set(event.target.value)}
        onBlur={() => set(prettyJson(value))}
        sx={{ fontFamily: mono, fontSize: 13 }}
      />
      {!isAccepted && (
        <Typography
          variant="caption"
          role="alert"
          component="p"
          sx={{ color: 'error.main', mt: 0.5 }}
        >
          {t('channels.json.invalid')}
        </Typography>
      )}
    </>
  )
}
