import Dialog from '@mui/material/Dialog'
import DialogContent from '@mui/material/DialogContent'
import DialogTitle from '@mui/material/DialogTitle'
import Typography from '@mui/material/Typography'
import { useId } from 'react'
import { api } from '../../api'
import { endNeededProof } from '../../api/session.ts'
import { ProofForm } from '../../domain/sign-in/proof-form.tsx'
import { useAction, useT } from '../../ui'
import { DialogCloseButton } from '../../ui/feedback/dialog-close-button.tsx'

/** Asks for a fresh proof over a page whose write of money needs it, and then lets the write be sent again. */
export const ProofDialog = () => {
  const t = useT()
  const id = useId()
  const prove = useAction('profile', api.profile.prove, { onSuccess: () => endNeededProof(true) })
  const cancel = () => endNeededProof(false)
  return (
    <Dialog
      open
      fullWidth
      maxWidth="xs"
      onClose={cancel}
      aria-labelledby={id}
      aria-describedby={`${id}-text`}
    >
      <DialogTitle id={id} sx={{ pb: 0.5 }}>
        {t('profile.proof.title')}
      </DialogTitle>
      <DialogCloseButton onClick={cancel} />
      <DialogContent>
        <Typography
          id={`${id}-text`}
          variant="body2"
          sx={{ color: 'text.secondary', mb: 2.25, maxWidth: 440 }}
        >
          {t('profile.proof.text')}
        </Typography>
        <ProofForm
          endpoint={api.profile.prove}
          submit={prove}
          submitLabel={t('profile.proof.submit')}
        />
      </DialogContent>
    </Dialog>
  )
}
