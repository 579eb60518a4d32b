import Stack from '@mui/material/Stack'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useForm } from 'react-hook-form'
import { api, errorText } from '../../api'
import { startSession } from '../../api/session.ts'
import { notify, useT } from '../../ui'
import { FormFooter } from './form-footer.tsx'
import { PlainField } from './plain-field.tsx'

type Credentials = { username: string; password: string }

const isFilled = (text: string) => text.trim() !== ''

/** User name and password, on the sign-in page and in the dialog over a page whose session ended. */
export const SignInForm = ({ username = '' }: { username?: string }) => {
  const t = useT()
  const client = useQueryClient()
  const [serverError, setServerError] = useState('')
  const { control, handleSubmit, formState } = useForm<Credentials>({
    defaultValues: { username, password: '' },
  })
  const submit = async (credentials: Credentials) => {
    setServerError('')
    try {
      const user = await api['sign-in'].login(credentials)
      startSession(user)
      void client.invalidateQueries({ queryKey: ['groups'] })
      notify.success(t('sign-in.done'))
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
      <FormFooter
        error={serverError}
        submitLabel={t('menu.login')}
        isSubmitting={formState.isSubmitting}
      />
    </Stack>
  )
}
