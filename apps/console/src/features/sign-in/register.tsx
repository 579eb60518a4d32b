import { zodResolver } from '@hookform/resolvers/zod'
import { Registration } from '@hub/contract'
import Alert from '@mui/material/Alert'
import MuiLink from '@mui/material/Link'
import Stack from '@mui/material/Stack'
import { useState } from 'react'
import { useForm } from 'react-hook-form'
import { Link, useLocation, useNavigate } from 'react-router'
import { z } from 'zod'
import { api, errorText, useSite } from '../../api'
import { FormFooter } from '../../layout/session/form-footer.tsx'
import { PlainField } from '../../layout/session/plain-field.tsx'
import { notify, useT } from '../../ui'
import { Frame } from './frame.tsx'
import { clearInviteCode, rememberInviteCode } from './invite-code.ts'

export const NewAccount = Registration.omit({ aff_code: true })
  .extend({ again: z.string() })
  .refine(({ password, again }) => password === again, { path: ['again'] })
type NewAccount = z.output<typeof NewAccount>

export const RegisterPage = () => {
  const t = useT()
  const site = useSite()
  const footer = (
    <>
      {t('sign-in.register.haveAccount')}{' '}
      <MuiLink component={Link} to="/login">
        {t('menu.login')}
      </MuiLink>
    </>
  )
  return (
    <Frame
      name={t('sign-in.register.action')}
      title={t('sign-in.register.title', { name: site.system_name })}
      footer={footer}
    >
      <RegisterForm />
    </Frame>
  )
}

const RegisterForm = () => {
  const t = useT()
  const navigate = useNavigate()
  const { search } = useLocation()
  const [aff_code] = useState(() => rememberInviteCode(search))
  const [serverError, setServerError] = useState('')
  const { control, handleSubmit, formState } = useForm<NewAccount>({
    resolver: zodResolver(NewAccount),
    defaultValues: { username: '', password: '', again: '' },
  })
  const submit = async ({ username, password }: NewAccount) => {
    setServerError('')
    try {
      await api['sign-in'].register({ username, password, aff_code })
      clearInviteCode()
      notify.success(t('sign-in.register.done'))
      await navigate('/login')
    } catch (error) {
      setServerError(errorText(t, error).text)
    }
  }
  return (
    <Stack component="form" noValidate spacing={2.25} onSubmit={handleSubmit(submit)}>
      {aff_code && (
        <Alert severity="success" variant="outlined">
          {t('sign-in.register.invited')}
        </Alert>
      )}
      <PlainField
        control={control}
        name="username"
        label={t('sign-in.register.username')}
        help={t('profile.help.username')}
        errorText={t('profile.help.username')}
        autoComplete="username"
      />
      <PlainField
        control={control}
        name="password"
        label={t('sign-in.fields.password')}
        help={t('profile.help.password')}
        errorText={t('profile.help.password')}
        autoComplete="new-password"
        isPassword
      />
      <PlainField
        control={control}
        name="again"
        label={t('sign-in.register.again')}
        errorText={t('rules.must-be-equal')}
        autoComplete="new-password"
        isPassword
      />
      <FormFooter
        error={serverError}
        submitLabel={t('sign-in.register.action')}
        isSubmitting={formState.isSubmitting}
      />
    </Stack>
  )
}
