import EyeOffIcon from '@mui/icons-material/VisibilityOffOutlined'
import EyeIcon from '@mui/icons-material/VisibilityOutlined'
import Autocomplete from '@mui/material/Autocomplete'
import Button from '@mui/material/Button'
import IconButton from '@mui/material/IconButton'
import InputAdornment from '@mui/material/InputAdornment'
import MenuItem from '@mui/material/MenuItem'
import OutlinedInput from '@mui/material/OutlinedInput'
import Select from '@mui/material/Select'
import Stack from '@mui/material/Stack'
import TextField from '@mui/material/TextField'
import dayjs from 'dayjs'
import { useState } from 'react'
import { useT } from '../../locales/use-t.ts'
import { mono } from '../theme.ts'
import type { ControlProps } from './types.ts'

/** The control of a form field by its kind. Switches are drawn in `SchemaFields`, beside their labels. */
export const Control = (props: ControlProps) => {
  if (props.kind === 'select') return <Choice {...props} />
  if (props.kind === 'tags') return <Tags {...props} />
  if (props.kind === 'time') return <TimeInput {...props} />
  if (props.kind === 'password') return <PasswordInput {...props} />
  return <TextInput {...props} />
}

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

const TextInput = (props: ControlProps) => {
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

const PasswordInput = (props: ControlProps) => {
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

const Choice = (props: ControlProps) => (
  <Select
    {...sharedInputProps(props)}
    labelId={`${props.id}-label`}
    displayEmpty
    value={(props.value ?? '') as string | number}
    onChange={event => props.set(event.target.value)}
  >
    {props.options.map(each => (
      <MenuItem key={each.value} value={each.value}>
        {each.label}
      </MenuItem>
    ))}
  </Select>
)

const Tags = (props: ControlProps) => {
  const { id, value, set, options, invalid, describedBy, disabled, placeholder, onBlur } = props
  const tags = Array.isArray(value) ? (value as string[]) : []
  return (
    <Autocomplete
      multiple
      freeSolo
      autoSelect
      id={id}
      size="small"
      value={tags}
      disabled={disabled ?? false}
      options={options.map(each => String(each.value))}
      onChange={(_, next) =>
        set(
          [...new Set(next.flatMap(each => each.split(/[,\n]/)).map(each => each.trim()))].filter(
            Boolean,
          ),
        )
      }
      onBlur={onBlur ?? (() => undefined)}
      renderInput={params => (
        <TextField
          {...params}
          error={invalid}
          placeholder={tags.length ? '' : (placeholder ?? '')}
          aria-describedby={describedBy}
        />
      )}
    />
  )
}

/** An input for seconds since 1970 in the user's time zone; -1 is "never". */
const TimeInput = (props: ControlProps) => {
  const t = useT()
  const seconds = typeof props.value === 'number' ? props.value : -1
  const isSet = seconds > 0
  return (
    <Stack direction="row" spacing={1}>
      <OutlinedInput
        {...sharedInputProps(props)}
        type="datetime-local"
        value={isSet ? dayjs.unix(seconds).format('YYYY-MM-DDTHH:mm') : ''}
        onChange={event => props.set(event.target.value ? dayjs(event.target.value).unix() : -1)}
      />
      <Button
        variant="outlined"
        color="inherit"
        disabled={!isSet}
        onClick={() => props.set(-1)}
        sx={{ borderColor: 'divider' }}
      >
        {t('common.never')}
      </Button>
    </Stack>
  )
}
