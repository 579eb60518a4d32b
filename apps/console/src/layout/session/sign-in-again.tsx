import Button from '@mui/material/Button'
import Dialog from '@mui/material/Dialog'
import DialogContent from '@mui/material/DialogContent'
import DialogTitle from '@mui/material/DialogTitle'
import Typography from '@mui/material/Typography'
import { useId } from 'react'
import { abandonSession } from '../../api/session.ts'
import { useT } from '../../ui'
import { SignInForm } from './sign-in-form.tsx'

/** Asks for a new sign-in over a page whose session ended. Only its buttons close it, because cancelling loses edits. */
export const SignInAgain = ({ username }: { username: string }) => {
  const t = useT()
  const id = useId()
  return (
    <Dialog open fullWidth maxWidth="xs" aria-labelledby={id} aria-describedby={`${id}-text`}>
      <DialogTitle id={id} sx={{ pb: 0.5 }}>
        {t('sign-in.again.title')}
      </DialogTitle>
      <DialogContent>
        <Typography
          id={`${id}-text`}
          variant="body2"
          sx={{ color: 'text.secondary', mb: 2.25, maxWidth: 440 }}
        >
          {t('sign-in.again.text')}
        </Typography>
        <SignInForm username={username} />
        <Button color="inherit" fullWidth sx={{ mt: 1 }} onClick={abandonSession}>
          {t('common.cancel')}
        </Button>
      </DialogContent>
    </Dialog>
  )
}
