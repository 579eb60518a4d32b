import Button from '@mui/material/Button'
import Stack from '@mui/material/Stack'
import Typography from '@mui/material/Typography'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { api, query, useSite, useUser } from '../../api'
import { formatQuota } from '../../domain'
import { AccountNotifications } from '../../domain/notifications/account-card.tsx'
import { SessionList } from '../../domain/sessions.tsx'
import { ProofForm } from '../../domain/sign-in/proof-form.tsx'
import { Card, ConfirmButton, useAction, useT } from '../../ui'

/** The parts of the profile below the first screen: notifications, sessions, and the deletion of the account. */
export const AccountCards = () => (
  <Stack spacing={2}>
    <AccountNotifications />
    <Sessions />
    <DeleteAccount />
  </Stack>
)

const Sessions = () => {
  const t = useT()
  const { data = [] } = useQuery(query(api.profile.sessions))
  const end = useAction('profile', api.profile.endSession, { successKey: 'sessions.ended' })
  const endOthers = useAction('profile', api.profile.endOtherSessions, {
    successKey: 'sessions.othersEnded',
  })
  const others = data.filter(each => !each.current)
  return (
    <Card title={t('sessions.title')} intro={t('sessions.intro')}>
      <SessionList sessions={data} end={session => end({ session })} />
      {others.length > 0 && (
        <ConfirmButton
          variant="outlined"
          sx={{ mt: 2 }}
          title={t('sessions.endOthers')}
          text={t('sessions.endOthersText', { value: others.length })}
          onConfirm={() => endOthers({})}
        >
          {t('sessions.endOthers')}
        </ConfirmButton>
      )}
    </Card>
  )
}

const DeleteAccount = () => {
  const t = useT()
  const user = useUser()
  const site = useSite()
  const [open, setOpen] = useState(false)
  // The next page starts without anything of this user in memory.
  const remove = useAction([], api.profile.remove, { onSuccess: () => location.replace('/') })
  return (
    <Card title={t('sessions.remove.title')} intro={t('sessions.remove.intro')}>
      {open ? (
        <>
          <Typography variant="body2" sx={{ mb: 2 }}>
            {t('sessions.remove.text', { balance: formatQuota(user.quota, site) })}
          </Typography>
          <ProofForm
            endpoint={api.profile.remove}
            submit={remove}
            submitLabel={t('sessions.remove.action')}
          />
          <Button size="small" color="inherit" sx={{ mt: 1 }} onClick={() => setOpen(false)}>
            {t('common.cancel')}
          </Button>
        </>
      ) : (
        <Button variant="outlined" color="error" onClick={() => setOpen(true)}>
          {t('sessions.remove.action')}
        </Button>
      )}
    </Card>
  )
}
