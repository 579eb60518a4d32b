import OutlinedInput from '@mui/material/OutlinedInput'
import { lazy, Suspense } from 'react'
import { formatTime } from '../../values/format.ts'
import type { TimeInputProps } from '../types.ts'

const TimePicker = lazy(() => import('./picker.tsx'))

/** Date and time in the time zone of the site. The text stands in its place until the picker is loaded. */
export const TimeInput = (props: TimeInputProps) => {
  const { id, value, label } = props
  return (
    <Suspense
      fallback={
        <OutlinedInput
          id={id}
          fullWidth
          readOnly
          value={value === undefined ? '' : formatTime(value).slice(0, 16)}
          inputProps={{ 'aria-label': label }}
        />
      }
    >
      <TimePicker {...props} />
    </Suspense>
  )
}
