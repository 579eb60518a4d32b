import Box from '@mui/material/Box'

type Props = {
  /** 0 to 100; more is drawn as 100. */
  percent: number
  /** Without one the text next to it says how far it is. */
  label?: string
  tone?: 'primary' | 'success' | 'warning' | 'error'
}

/** A bar that is filled to a share. The kit's own progress bar weighs a kilobyte, which every page would load. */
export const Meter = ({ percent, label, tone = 'primary' }: Props) => {
  const value = Math.round(Math.min(100, Math.max(0, percent)))
  return (
    <Box
      {...(label
        ? {
            role: 'progressbar',
            'aria-label': label,
            'aria-valuemin': 0,
            'aria-valuemax': 100,
            'aria-valuenow': value,
          }
        : { 'aria-hidden': true })}
      sx={{ height: 6, borderRadius: 3, bgcolor: 'action.hover', overflow: 'hidden' }}
    >
      <Box sx={{ height: 1, bgcolor: `${tone}.main` }} style={{ width: `${value}%` }} />
    </Box>
  )
}
