import { zodResolver } from '@hookform/resolvers/zod'
import { Password } from '@hub/contract'
import Alert from '@mui/material/Alert'
import MuiLink from '@mui/material/Link'
import Stack from '@mui/material/Stack'
import { useState } from 'react'
import { useForm } from 'react-hook-form'
import { Link, useNavigate } from 'react-router'
import { z } from 'zod'
import { api, errorText } from '../../api'
import { FormFooter } from '../../layout/session/form-footer.tsx'
import { PlainField } from '../../layout/session/plain-field.tsx'
import { notify, useT } from '../../ui'
import { Frame } from './frame.tsx'

const NewPassword = z
  .object({ password: Password, again: z.string() })
  .refine(({ password, again }) => password === again, { path: ['again'] })
type NewPassword = z.output<typeof NewPassword>

/** Chooses a new password by the token of a link, which stands in the fragment of the address. */
export const ResetPasswordPage = () => {
  const t = useT()
  const navigate = useNavigate()
  const [token] = useState(() => new URLSearchParams(location.hash.slice(1)).get('token') ?? '')
  const [serverError, setServerError] = useState('')
  const { control, handleSubmit, formState } = useForm<NewPassword>({
    resolver: zodResolver(NewPassword),
    defaultValues: { password: '', again: '' },
  })
  const submit = async ({ password }: NewPassword) => {
    setServerError('')
    try {
      await api['sign-in'].resetPassword({ token, password })
      notify.success(t('sign-in.reset.done'))
      await navigate('/login')
    } catch (error) {
      setServerError(errorText(t, error).text)
    }
  }
  const footer = (
    <MuiLink component={Link} to="/reset">
      {t('sign-in.reset.another')}
    </MuiLink>
  )
  return (
    <Frame name={t('sign-in.reset.choose')} title={t('sign-in.reset.choose')} footer={footer}>
      {token === '' && (
        <Alert severity="error" variant="outlined">
          {t('sign-in.reset.incomplete')}
        </Alert>
      )}
      {token !== '' && (
        <Stack component="form" noValidate spacing={2.25} onSubmit={handleSubmit(submit)}>
          <PlainField
            control={control}
            name="password"
            label={t('profile.fields.password')}
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
            submitLabel={t('sign-in.reset.save')}
            isSubmitting={formState.isSubmitting}
          />
        </Stack>
      )}
    </Frame>
  )
}
