import EyeIcon from 'virtual:icons/visibility'
import EyeOffIcon from 'virtual:icons/visibility-off'
import IconButton from '@mui/material/IconButton'
import InputAdornment from '@mui/material/InputAdornment'
import OutlinedInput from '@mui/material/OutlinedInput'
import { useState } from 'react'
import { useT } from '../../locales/use-t.ts'
import { mono } from '../theme.ts'
import type { ControlProps } from './types.ts'

/** The props that every input of a form receives. */
export const sharedInputProps = ({
  id,
  describedBy,
  invalid,
  disabled,
  placeholder,
  onBlur,
}: ControlProps) => ({
  id,
  fullWidth: true,
  error: invalid,
  disabled: disabled ?? false,
  placeholder: placeholder ?? '',
  onBlur: onBlur ?? (() => undefined),
  'aria-describedby': describedBy,
})

export const TextInput = (props: ControlProps) => {
  const { kind, value, set, rows, autoComplete } = props
  const isLong = kind === 'multiline' || kind === 'code'
  const isNumber = kind === 'number'
  return (
    <OutlinedInput
      {...sharedInputProps(props)}
      type={isNumber ? 'number' : 'text'}
      multiline={isLong}
      {...(isLong ? { minRows: rows ?? 3, maxRows: 16 } : {})}
      value={value ?? ''}
      autoComplete={autoComplete ?? 'off'}
      onChange={event => {
        const text = event.target.value
        set(isNumber ? (text === '' ? undefined : Number(text)) : text)
      }}
      inputProps={{
        ...(isNumber ? { step: 'any', inputMode: 'decimal' } : {}),
        ...(kind === 'code' ? { spellCheck: false } : {}),
      }}
      sx={kind === 'code' ? { fontFamily: mono, fontSize: 13 } : {}}
    />
  )
}

export const PasswordInput = (props: ControlProps) => {
  const t = useT()
  const [shown, setShown] = useState(false)
  const name = t(shown ? 'common.hidePassword' : 'common.showPassword')
  return (
    <OutlinedInput
      {...sharedInputProps(props)}
      type={shown ? 'text' : 'password'}
      value={props.value ?? ''}
      autoComplete={props.autoComplete ?? 'new-password'}
      onChange={event => props.set(event.target.value)}
      endAdornment={
        <InputAdornment position="end">
          <IconButton size="small" edge="end" aria-label={name} onClick={() => setShown(!shown)}>
            {shown ? <EyeOffIcon fontSize="small" /> : <EyeIcon fontSize="small" />}
          </IconButton>
        </InputAdornment>
      }
    />
  )
}
