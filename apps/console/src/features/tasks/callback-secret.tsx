import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import DialogActions from '@mui/material/DialogActions'
import DialogContent from '@mui/material/DialogContent'
import DialogTitle from '@mui/material/DialogTitle'
import Skeleton from '@mui/material/Skeleton'
import Typography from '@mui/material/Typography'
import { useQuery } from '@tanstack/react-query'
import { useId } from 'react'
import { api, query } from '../../api/index.ts'
import { Dialog } from '../../ui/feedback/dialog.tsx'
import { ConfirmButton, Copyable, ErrorState, useAction, useDialog, useT } from '../../ui/index.ts'

/** The secret by which the signed-in user verifies callbacks. It is loaded when it is asked for. */
export const CallbackSecretButton = () => {
  const t = useT()
  const { isOpen, open, close } = useDialog('callback-secret')
  return (
    <>
      <Button variant="outlined" onClick={() => open()}>
        {t('tasks.callbackSecret.title')}
      </Button>
      {isOpen && <SecretDialog onClose={close} />}
    </>
  )
}

const SecretDialog = ({ onClose }: { onClose: () => void }) => {
  const t = useT()
  const id = useId()
  const { data, error, refetch } = useQuery(query(api.tasks.callbackSecret, undefined))
  const renew = useAction('tasks', () => api.tasks.renewCallbackSecret(), {
    successKey: 'tasks.callbackSecret.renewed',
  })
  return (
    <Dialog open onClose={onClose} maxWidth="sm" fullWidth aria-labelledby={id}>
      <DialogTitle id={id}>{t('tasks.callbackSecret.title')}</DialogTitle>
      <DialogContent>
        <Typography variant="body2" sx={{ color: 'text.secondary', mb: 2 }}>
          {t('tasks.callbackSecret.text')}
        </Typography>
        {error ? (
          <ErrorState error={error} retry={() => void refetch()} />
        ) : data === undefined ? (
          <Skeleton variant="rounded" height={32} />
        ) : (
          <Box sx={{ overflowWrap: 'anywhere' }}>
            <Copyable text={data} what={t('tasks.callbackSecret.title')} />
          </Box>
        )}
      </DialogContent>
      <DialogActions sx={{ px: 3, pb: 2 }}>
        <ConfirmButton
          title={t('tasks.callbackSecret.renew')}
          text={t('tasks.callbackSecret.renewText')}
          onConfirm={() => renew(undefined)}
        >
          {t('tasks.callbackSecret.renew')}
        </ConfirmButton>
        <Button variant="contained" onClick={onClose}>
          {t('common.close')}
        </Button>
      </DialogActions>
    </Dialog>
  )
}
