import Stack from '@mui/material/Stack'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useForm } from 'react-hook-form'
import { api, errorText, useSite } from '../../api'
import { startSession } from '../../api/session.ts'
import { canUsePasskeys } from '../../domain/sign-in/passkeys.ts'
import { notify, useT } from '../../ui'
import { useBotCheck } from './bot-check.tsx'
import { FormFooter } from './form-footer.tsx'
import { PasskeyButton } from './other-ways/passkey-button.tsx'
import { WeChatButton } from './other-ways/wechat-button.tsx'
import { PlainField } from './plain-field.tsx'
import { SecondStepForm } from './second-step-form.tsx'

type Credentials = { username: string; password: string }
type SignInResult = Awaited<ReturnType<(typeof api)['sign-in']['login']>>

const isFilled = (text: string) => text.trim() !== ''

/** User name and password, then the second factor; on the sign-in page and over a page whose session ended. */
export const SignInForm = ({ username = '' }: { username?: string }) => {
  const t = useT()
  const client = useQueryClient()
  const [token, setToken] = useState('')
  const finish = (result: SignInResult) => {
    if ('require_2fa' in result) return setToken(result.token)
    startSession(result)
    void client.invalidateQueries({ queryKey: ['groups'] })
    notify.success(t('sign-in.done'))
  }
  if (token) return <SecondStepForm token={token} finish={finish} startAgain={() => setToken('')} />
  return <CredentialsForm username={username} finish={finish} />
}

type CredentialsFormProps = { username: string; finish: (result: SignInResult) => void }

const CredentialsForm = ({ username, finish }: CredentialsFormProps) => {
  const t = useT()
  const site = useSite()
  const botCheck = useBotCheck('login')
  const [serverError, setServerError] = useState('')
  const { control, handleSubmit, formState } = useForm<Credentials>({
    defaultValues: { username, password: '' },
  })
  const submit = async (credentials: Credentials) => {
    setServerError('')
    try {
      finish(await api['sign-in'].login({ ...credentials, ...botCheck.take() }))
    } catch (error) {
      setServerError(errorText(t, error).text)
    }
  }
  return (
    <Stack component="form" noValidate spacing={2.25} onSubmit={handleSubmit(submit)}>
      <PlainField
        control={control}
        name="username"
        label={t('sign-in.fields.username')}
        rules={{ validate: isFilled }}
        errorText={t('sign-in.required.username')}
        autoComplete="username"
      />
      <PlainField
        control={control}
        name="password"
        label={t('sign-in.fields.password')}
        rules={{ required: true }}
        errorText={t('sign-in.required.password')}
        autoComplete="current-password"
        isPassword
      />
      {botCheck.widget}
      <FormFooter
        error={serverError}
        submitLabel={t('menu.login')}
        isSubmitting={formState.isSubmitting}
      />
      {canUsePasskeys(site) && <PasskeyButton finish={finish} />}
      {site.wechat_login && <WeChatButton finish={finish} />}
    </Stack>
  )
}
