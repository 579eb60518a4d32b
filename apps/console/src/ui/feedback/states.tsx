import InboxIcon from 'virtual:icons/inbox'
import Alert from '@mui/material/Alert'
import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import Typography from '@mui/material/Typography'
import type { ReactNode } from 'react'
import { errorText } from '../../api/error-text.ts'
import { useT } from '../../locales/use-t.ts'

type EmptyStateProps = {
  title: string
  text?: string | undefined
  action?: ReactNode
  icon?: ReactNode
}

/** Explains why a list is empty and offers the next step. */
export const EmptyState = ({ title, text, action, icon }: EmptyStateProps) => (
  <Box
    data-testid="empty-state"
    sx={{
      display: 'flex',
      flexDirection: 'column',
      alignItems: 'center',
      textAlign: 'center',
      gap: 1,
      py: 7,
      px: 3,
    }}
  >
    <Box sx={{ color: 'text.disabled', mb: 0.5, '& svg': { fontSize: 36 } }} aria-hidden>
      {icon ?? <InboxIcon />}
    </Box>
    <Typography variant="h3" component="p">
      {title}
    </Typography>
    {text && (
      <Typography variant="body2" sx={{ color: 'text.secondary', maxWidth: 440 }}>
        {text}
      </Typography>
    )}
    {action && <Box sx={{ mt: 1.5 }}>{action}</Box>}
  </Box>
)

/** Shows a failed call with a button to retry. Data shown before stays visible. */
export const ErrorState = ({ error, retry }: { error: unknown; retry?: () => void }) => {
  const t = useT()
  return (
    <Alert
      severity="error"
      variant="outlined"
      action={
        retry && (
          <Button color="inherit" size="small" onClick={retry}>
            {t('common.retry')}
          </Button>
        )
      }
    >
      {errorText(t, error).text}
    </Alert>
  )
}
