import DoneIcon from 'virtual:icons/check-circle'
import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import Typography from '@mui/material/Typography'
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { useT } from '../../../ui'

/** A link to the place of a missing part, or a button that opens its form or creates it. */
export type StepAction = {
  label: string
  to?: string
  onClick?: () => void
  opensDialog?: boolean
  isPending?: boolean
}

export type StepProps = {
  number: number
  title: string
  text: string
  done: boolean
  isNext: boolean
  /** The sentence that names a missing part of the step; empty if the step is complete. */
  note: string
  /** The first leads to the missing part; others are less usual ways. */
  actions: readonly StepAction[]
}

export const StepCard = ({ number, title, text, done, isNext, note, actions }: StepProps) => {
  const t = useT()
  return (
    <Box
      component="li"
      aria-current={isNext ? 'step' : undefined}
      sx={{ ...card, borderColor: isNext ? 'primary.main' : 'divider' }}
    >
      <Box sx={{ display: 'flex', alignItems: 'flex-start', gap: 1 }}>
        {done ? (
          <DoneIcon color="success" titleAccess={t('dashboard.first.done')} sx={{ fontSize: 22 }} />
        ) : (
          <Box component="span" aria-hidden sx={stepNumber}>
            {number}
          </Box>
        )}
        <Typography component="h3" sx={{ fontWeight: 600 }}>
          {title}
        </Typography>
      </Box>
      <Typography variant="body2" sx={{ color: 'text.secondary' }}>
        {text}
      </Typography>
      {note && (
        <Typography variant="body2" sx={{ overflowWrap: 'anywhere' }}>
          {note}
        </Typography>
      )}
      {actions.length > 0 && (
        <Box sx={{ display: 'flex', flexWrap: 'wrap', gap: 0.75, mt: 'auto', pt: 0.5 }}>
          {actions.map((action, index) => (
            <ActionButton
              key={action.label}
              action={action}
              variant={index > 0 || done ? 'text' : isNext ? 'contained' : 'outlined'}
            />
          ))}
        </Box>
      )}
    </Box>
  )
}

type ActionProps = { action: StepAction; variant: 'text' | 'outlined' | 'contained' }

const ActionButton = ({ action, variant }: ActionProps): ReactNode => {
  const { label, to, onClick, opensDialog, isPending = false } = action
  const looks = { size: 'small', variant, sx: { minHeight: { xs: 44, sm: 32 } } } as const
  if (to !== undefined)
    return (
      <Button {...looks} component={Link} to={to}>
        {label}
      </Button>
    )
  return (
    <Button
      {...looks}
      loading={isPending}
      onClick={onClick}
      {...(opensDialog && { 'aria-haspopup': 'dialog' })}
    >
      {label}
    </Button>
  )
}

const card = {
  border: '1px solid',
  borderRadius: '10px',
  p: 2,
  display: 'flex',
  flexDirection: 'column',
  alignItems: 'flex-start',
  gap: 0.75,
}

const stepNumber = {
  width: 22,
  height: 22,
  flex: 'none',
  borderRadius: '50%',
  border: '1px solid',
  borderColor: 'divider',
  display: 'grid',
  placeItems: 'center',
  fontSize: 12,
  fontWeight: 600,
}
