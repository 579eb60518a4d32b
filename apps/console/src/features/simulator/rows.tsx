import RemoveIcon from 'virtual:icons/close'
import Autocomplete from '@mui/material/Autocomplete'
import Box from '@mui/material/Box'
import IconButton from '@mui/material/IconButton'
import InputAdornment from '@mui/material/InputAdornment'
import OutlinedInput from '@mui/material/OutlinedInput'
import Stack from '@mui/material/Stack'
import TextField from '@mui/material/TextField'
import { type ReactNode, useState } from 'react'
import { Field, useT } from '../../ui/index.ts'

type ChangeRowProps = { name: string; label?: ReactNode; remove: () => void; children: ReactNode }

/** One changed price or ratio, with a button that discards the change. */
export const ChangeRow = ({ name, label = name, remove, children }: ChangeRowProps) => {
  const t = useT()
  return (
    <Stack
      role="group"
      aria-label={name}
      direction={{ xs: 'column', sm: 'row' }}
      spacing={1.5}
      sx={{
        alignItems: { sm: 'flex-end' },
        position: 'relative',
        border: '1px solid',
        borderColor: 'divider',
        borderRadius: '8px',
        p: 1.5,
        mb: 1.5,
      }}
    >
      <Box
        sx={{
          flex: 1,
          minWidth: 0,
          fontWeight: 500,
          overflowWrap: 'anywhere',
          pr: { xs: 5, sm: 0 },
          pb: { sm: 0.75 },
        }}
      >
        {label}
      </Box>
      {children}
      <IconButton
        aria-label={t('simulator.remove', { name })}
        onClick={remove}
        sx={{ position: { xs: 'absolute', sm: 'static' }, top: 0, right: 4 }}
      >
        <RemoveIcon fontSize="small" />
      </IconButton>
    </Stack>
  )
}

type AmountProps = {
  label: string
  prefix: string
  value: string
  isInvalid: boolean
  set: (value: string) => void
}

export const AmountField = ({ label, prefix, value, isInvalid, set }: AmountProps) => {
  const t = useT()
  return (
    <Box sx={{ width: { sm: 176 } }}>
      <Field label={label} error={isInvalid ? t('simulator.notANumber') : undefined}>
        {({ id, describedBy, invalid }) => (
          <OutlinedInput
            id={id}
            size="small"
            fullWidth
            value={value}
            error={invalid}
            inputProps={{ inputMode: 'decimal', 'aria-describedby': describedBy }}
            startAdornment={<InputAdornment position="start">{prefix}</InputAdornment>}
            onChange={event => set(event.target.value)}
          />
        )}
      </Field>
    </Box>
  )
}

type Option = { value: string; label: string }
type AddProps = { label: string; options: Option[]; add: (value: string) => void }

/** Adds the selected option and clears the field for the next one. */
export const AddField = ({ label, options, add }: AddProps) => {
  const [text, setText] = useState('')
  return (
    <Autocomplete<Option>
      size="small"
      sx={{ maxWidth: 360 }}
      options={options}
      value={null}
      blurOnSelect
      inputValue={text}
      onInputChange={(_, next, why) => setText(why === 'input' ? next : '')}
      onChange={(_, option) => option && add(option.value)}
      renderInput={params => <TextField {...params} label={label} />}
    />
  )
}
