import { styled } from '@mui/material/styles'
import type { ComponentProps } from 'react'

/**
 * One element, on which the thumb is a background. MUI's switch has six, which clip and stack for themselves: a table
 * with a hundred of them scrolled at half the frames.
 */
const Track = styled('input')(({ theme }) => ({
  appearance: 'none',
  flexShrink: 0,
  width: 34,
  height: 20,
  margin: 0,
  border: '2px solid transparent',
  borderRadius: 10,
  verticalAlign: 'middle',
  cursor: 'pointer',
  backgroundColor: theme.vars?.palette.text.disabled,
  backgroundImage: `radial-gradient(circle, ${theme.vars?.palette.background.paper} 6.5px, transparent 7px)`,
  backgroundSize: '16px 16px',
  backgroundRepeat: 'no-repeat',
  backgroundPosition: 'left center',
  transition: 'background-position 120ms, background-color 120ms',
  '&:checked': {
    backgroundColor: theme.vars?.palette.primary.main,
    backgroundPosition: 'right center',
  },
  '&:disabled': { cursor: 'default', backgroundColor: theme.vars?.palette.divider },
  '&:disabled:checked': {
    backgroundColor: `color-mix(in srgb, ${theme.vars?.palette.primary.main} 45%, ${theme.vars?.palette.background.paper})`,
  },
  '@media (forced-colors: active)': { appearance: 'auto' },
  // The label moves its control to the left, by the padding that MUI's controls have.
  '.MuiFormControlLabel-root > &': { margin: '0 10px 0 11px' },
}))

type SwitchProps = Omit<ComponentProps<'input'>, 'type' | 'role' | 'ref' | 'onChange'> & {
  onChange: (checked: boolean) => void
}

export const Switch = ({ onChange, ...props }: SwitchProps) => (
  <Track
    {...props}
    type="checkbox"
    role="switch"
    onChange={event => onChange(event.target.checked)}
  />
)
