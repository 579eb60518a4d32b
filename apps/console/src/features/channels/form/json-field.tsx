import OutlinedInput from '@mui/material/OutlinedInput'
import Typography from '@mui/material/Typography'
import { mono, useT } from '../../../ui/index.ts'
import { prettyJson, readObject } from './texts.ts'

type Props = {
  id: string
  described: string | undefined
  value: string
  set: (text: string) => void
  label: string
  placeholder?: string
  /** Whether the text fits; unless given, any JSON object or nothing does. */
  isValid?: boolean
}

/** JSON that is checked while it is typed, and laid out when it is left. */
export const JsonField = ({ id, described, value, set, label, placeholder, isValid }: Props) => {
  const t = useT()
  const fits = isValid ?? (value.trim() === '' || readObject(value) !== undefined)
  return (
    <>
      <OutlinedInput
        id={id}
        fullWidth
        multiline
        minRows={4}
        maxRows={16}
        value={value}
        error={!fits}
        placeholder={placeholder ?? '{}'}
        inputProps={{ 'aria-label': label, 'aria-describedby': described, spellCheck: false }}
        onChange={event => set(event.target.value)}
        onBlur={() => set(prettyJson(value))}
        sx={{ fontFamily: mono, fontSize: 13 }}
      />
      {!fits && (
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
