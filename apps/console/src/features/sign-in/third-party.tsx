import Button from '@mui/material/Button'
import Divider from '@mui/material/Divider'
import Stack from '@mui/material/Stack'
import { useState } from 'react'
import { api, errorText, useSite } from '../../api'
import { notify, useT } from '../../ui'

/** A button for each third party by which users may sign in; they leave for its page. */
export const ThirdPartyButtons = () => {
  const t = useT()
  const site = useSite()
  const [pending, setPending] = useState('')
  const providers = [
    ...(site.github_oauth ? [{ slug: 'github', name: 'GitHub' }] : []),
    ...(site.lark_login ? [{ slug: 'lark', name: t('oauth.lark') }] : []),
    ...(site.oidc_auth ? [{ slug: 'oidc', name: 'OIDC' }] : []),
    ...site.custom_oauth_providers,
  ]
  if (providers.length === 0) return null
  const leave = async (provider: string) => {
    setPending(provider)
    try {
      location.assign(await api.oauth.endpoint({ provider }))
    } catch (error) {
      notify.error(errorText(t, error).text)
      setPending('')
    }
  }
  return (
    <Stack spacing={1.5} sx={{ mb: 2.25 }}>
      {providers.map(({ slug, name }) => (
        <Button
          key={slug}
          variant="outlined"
          color="inherit"
          size="large"
          fullWidth
          loading={pending === slug}
          disabled={pending !== ''}
          onClick={() => void leave(slug)}
        >
          {t('oauth.signInWith', { name })}
        </Button>
      ))}
      <Divider>{t('oauth.or')}</Divider>
    </Stack>
  )
}
