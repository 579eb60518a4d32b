import Alert from '@mui/material/Alert'
import Typography from '@mui/material/Typography'
import { useState } from 'react'
import { api, useUser } from '../../api'
import { ProofForm } from '../../domain/sign-in/proof-form.tsx'
import { Card, Copyable, useAction, useT } from '../../ui'

/** A key for scripts that use the admin API. It is shown once; the server stores only its hash. */
export const AccessToken = () => {
  const t = useT()
  const user = useUser()
  const [token, setToken] = useState('')
  const create = useAction('profile', api.profile.createAccessToken, { onSuccess: setToken })
  const action = user.has_access_token ? 'reset' : 'create'
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
      <Typography variant="body2" sx={{ mb: 2 }}>
        {t(`profile.accessToken.${action}Text`)}
      </Typography>
      <ProofForm
        endpoint={api.profile.createAccessToken}
        submit={create}
        submitLabel={t(`profile.accessToken.${action}`)}
      />
    </Card>
  )
}
