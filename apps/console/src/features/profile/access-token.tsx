import Alert from '@mui/material/Alert'
import Typography from '@mui/material/Typography'
import { useState } from 'react'
import { api, useUser } from '../../api'
import { Card, ConfirmButton, Copyable, useAction, useT } from '../../ui'

/** A key for scripts that use the admin API. It is shown once; the server stores only its hash. */
export const AccessToken = () => {
  const t = useT()
  const user = useUser()
  const [token, setToken] = useState('')
  const create = useAction('profile', api.profile.createAccessToken, { onSuccess: setToken })
  return (
    <Card title={t('profile.accessToken.title')} intro={t('profile.accessToken.text')}>
      {token && (
        <Alert severity="success" variant="outlined" sx={{ mb: 2 }}>
          <Typography variant="body2" sx={{ fontWeight: 600 }}>
            {t('profile.accessToken.once')}
          </Typography>
          <Copyable text={token} what={t('profile.accessToken.title')} />
        </Alert>
      )}
      <ConfirmButton
        variant="outlined"
        danger={user.has_access_token}
        title={t(
          user.has_access_token ? 'profile.accessToken.reset' : 'profile.accessToken.create',
        )}
        text={t(
          user.has_access_token
            ? 'profile.accessToken.resetText'
            : 'profile.accessToken.createText',
        )}
        onConfirm={() => create({})}
      >
        {t(user.has_access_token ? 'profile.accessToken.reset' : 'profile.accessToken.create')}
      </ConfirmButton>
    </Card>
  )
}
