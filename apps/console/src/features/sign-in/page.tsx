import MuiLink from '@mui/material/Link'
import { Link } from 'react-router'
import { useSite } from '../../api'
import { SignInForm } from '../../layout/session/sign-in-form.tsx'
import { useT } from '../../ui'
import { Frame } from './frame.tsx'
import { ThirdParties } from './third-party-lazy.tsx'

/** The route guard redirects as soon as a user is signed in. */
export const SignInPage = () => {
  const t = useT()
  const site = useSite()
  const footer = (
    <>
      {t('sign-in.noAccount')}{' '}
      <MuiLink component={Link} to="/register">
        {t('sign-in.register.action')}
      </MuiLink>
      {site.password_reset && (
        <>
          {' · '}
          <MuiLink component={Link} to="/reset">
            {t('sign-in.reset.forgot')}
          </MuiLink>
        </>
      )}
    </>
  )
  return (
    <Frame
      name={t('menu.login')}
      title={t('sign-in.title', { name: site.system_name })}
      footer={footer}
    >
      <ThirdParties />
      <SignInForm />
    </Frame>
  )
}
