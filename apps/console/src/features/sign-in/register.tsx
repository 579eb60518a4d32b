import { zodResolver } from '@hookform/resolvers/zod'
import { Registration, RequiredEmail } from '@hub/contract'
import Alert from '@mui/material/Alert'
import MuiLink from '@mui/material/Link'
import Stack from '@mui/material/Stack'
import { useState } from 'react'
import { type Control, useForm } from 'react-hook-form'
import { Link, useLocation, useNavigate } from 'react-router'
import { z } from 'zod'
import { api, errorText, useSite } from '../../api'
import { useBotCheck } from '../../layout/session/bot-check.tsx'
import { EmailCodeButton } from '../../layout/session/email-code.tsx'
import { FormFooter } from '../../layout/session/form-footer.tsx'
import { PlainField } from '../../layout/session/plain-field.tsx'
import { notify, useT } from '../../ui'
import { Frame } from './frame.tsx'
import { clearInviteCode, rememberInviteCode } from './invite-code.ts'
import { ThirdParties } from './third-party-lazy.tsx'

const fields = Registration.omit({ aff_code: true, turnstile: true }).extend({ again: z.string() })
const isRepeated = ({ password, again }: { password: string; again: string }) => password === again
export const NewAccount = fields.refine(isRepeated, { path: ['again'] })
type NewAccount = z.output<typeof NewAccount>
/** An account of a site that verifies e-mail addresses. */
export const VerifiedAccount = fields
  .extend({ email: RequiredEmail, verification_code: z.string().trim().min(1) })
  .refine(isRepeated, { path: ['again'] })

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
      <ThirdParties />
      <RegisterForm />
    </Frame>
  )
}

const RegisterForm = () => {
  const t = useT()
  const { email_verification } = useSite()
  const botCheck = useBotCheck('register')
  const navigate = useNavigate()
  const { search } = useLocation()
  const [aff_code] = useState(() => rememberInviteCode(search))
  const [serverError, setServerError] = useState('')
  const { control, handleSubmit, formState, watch } = useForm<
    z.input<typeof NewAccount>,
    unknown,
    NewAccount
  >({
    resolver: zodResolver((email_verification ? VerifiedAccount : NewAccount) as typeof NewAccount),
    defaultValues: { username: '', password: '', again: '', email: '', verification_code: '' },
  })
  const submit = async ({ again: _, ...account }: NewAccount) => {
    setServerError('')
    try {
      await api['sign-in'].register({ ...account, aff_code, ...botCheck.take() })
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
      {email_verification && <EmailFields control={control} email={watch('email') ?? ''} />}
      {botCheck.widget}
      <FormFooter
        error={serverError}
        submitLabel={t('sign-in.register.action')}
        isSubmitting={formState.isSubmitting}
      />
    </Stack>
  )
}

type EmailFieldsProps = {
  control: Control<z.input<typeof NewAccount>, unknown, NewAccount>
  email: string
}

/** The address, and the code that is sent there. */
const EmailFields = ({ control, email }: EmailFieldsProps) => {
  const t = useT()
  return (
    <>
      <PlainField
        control={control}
        name="email"
        label={t('sign-in.email.label')}
        errorText={t('sign-in.email.required')}
        autoComplete="email"
      />
      <EmailCodeButton email={email} />
      <PlainField
        control={control}
        name="verification_code"
        label={t('sign-in.email.code')}
        errorText={t('sign-in.email.codeRequired')}
        autoComplete="one-time-code"
      />
    </>
  )
}
