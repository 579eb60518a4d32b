import Box from '@mui/material/Box'
import FormHelperText from '@mui/material/FormHelperText'
import { type ReactNode, useId } from 'react'

type InputIds = { id: string; describedBy: string | undefined; invalid: boolean }
type FieldProps = {
  label: string
  help?: ReactNode
  error?: string | undefined
  required?: boolean
  mark?: ReactNode
  children: (ids: InputIds) => ReactNode
}

/** Draws a label above a control and its help or error below, tied to it for screen readers. */
export const Field = ({ label, help, error, required = false, mark, children }: FieldProps) => {
  const id = useId()
  const describedBy = error || help ? `${id}-text` : undefined
  return (
    <Box sx={{ minWidth: 0 }}>
      <Box
        component="label"
        id={`${id}-label`}
        htmlFor={id}
        sx={{ display: 'block', fontSize: 13, fontWeight: 500, mb: 0.5 }}
      >
        {label}
        {required && (
          <Box component="span" aria-hidden sx={{ color: 'error.main', ml: 0.5 }}>
            *
          </Box>
        )}
        {mark}
      </Box>
      {children({ id, describedBy, invalid: Boolean(error) })}
      {(error || help) && (
        <FormHelperText id={describedBy} error={Boolean(error)} role={error ? 'alert' : undefined}>
          {error ?? help}
        </FormHelperText>
      )}
    </Box>
  )
}
