import type { User } from '@hub/contract'
import Button from '@mui/material/Button'
import DialogActions from '@mui/material/DialogActions'
import DialogContent from '@mui/material/DialogContent'
import DialogTitle from '@mui/material/DialogTitle'
import { useQuery } from '@tanstack/react-query'
import { useId } from 'react'
import { api, query } from '../../api/index.ts'
import { SessionList } from '../../domain/sessions.tsx'
import { Dialog } from '../../ui/feedback/dialog.tsx'
import { ConfirmButton, ErrorState, useAction, useT } from '../../ui/index.ts'

/** Where a user is signed in. */
export const SessionsDialog = ({ user, onClose }: { user: User; onClose: () => void }) => {
  const t = useT()
  const titleId = useId()
  const { id, username: name } = user
  const { data = [], error, refetch } = useQuery(query(api.users.sessions, { id }))
  const end = useAction('users', api.users.endSession, { successKey: 'sessions.ended' })
  const endAll = useAction('users', api.users.endSessions, { successKey: 'sessions.ended' })
  return (
    <Dialog open onClose={onClose} maxWidth="sm" fullWidth aria-labelledby={titleId}>
      <DialogTitle id={titleId}>{t('sessions.ofUser', { name })}</DialogTitle>
      <DialogContent>
        {error ? (
          <ErrorState error={error} retry={() => void refetch()} />
        ) : (
          <SessionList sessions={data} end={session => end({ id, session })} />
        )}
      </DialogContent>
      <DialogActions sx={{ px: 3, pb: 2 }}>
        {data.length > 0 && (
          <ConfirmButton
            title={t('sessions.endAll')}
            text={t('sessions.endAllText', { name })}
            confirmLabel={t('sessions.endAll')}
            onConfirm={() => endAll({ id })}
          >
            {t('sessions.endAll')}
          </ConfirmButton>
        )}
        <Button variant="contained" onClick={onClose}>
          {t('common.close')}
        </Button>
      </DialogActions>
    </Dialog>
  )
}
