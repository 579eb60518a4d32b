import Autocomplete from '@mui/material/Autocomplete'
import Button from '@mui/material/Button'
import MenuItem from '@mui/material/MenuItem'
import Select from '@mui/material/Select'
import Stack from '@mui/material/Stack'
import TextField from '@mui/material/TextField'
import { useT } from '../../locales/use-t.ts'
import { PasswordInput, sharedInputProps, TextInput } from './text-control.tsx'
import { TimeInput } from './time/input.tsx'
import type { ControlProps } from './types.ts'

/** The control of a form field by its kind. Switches are drawn in `SchemaFields`, beside their labels. */
export const Control = (props: ControlProps) => {
  if (props.kind === 'select') return <Choice {...props} />
  if (props.kind === 'tags') return <Tags {...props} />
  if (props.kind === 'time') return <OptionalTime {...props} />
  if (props.kind === 'password') return <PasswordInput {...props} />
  return <TextInput {...props} />
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

/** Seconds since 1970; -1 is "never". */
const OptionalTime = (props: ControlProps) => {
  const t = useT()
  const { id, value, set, describedBy, invalid = false, disabled = false } = props
  const isSet = typeof value === 'number' && value > 0
  return (
    <Stack direction="row" spacing={1}>
      <TimeInput
        {...{ id, describedBy, invalid, disabled }}
        value={isSet ? value : undefined}
        set={at => set(at ?? -1)}
      />
      <Button
        variant="outlined"
        color="inherit"
        disabled={!isSet}
        onClick={() => set(-1)}
        sx={{ borderColor: 'divider' }}
      >
        {t('common.never')}
      </Button>
    </Stack>
  )
}
