import OutlinedInput from '@mui/material/OutlinedInput'
import { lazy, Suspense } from 'react'
import { formatTime } from '../../values/format.ts'

export type TimeInputProps = {
  id: string
  /** Seconds since 1970. */
  value: number | undefined
  set: (seconds: number | undefined) => void
  /** Absent where a `Field` labels the input. */
  label?: string
  describedBy?: string | undefined
  invalid?: boolean
  disabled?: boolean
  /** Shows a button that unsets the time. */
  clearable?: boolean
}

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
