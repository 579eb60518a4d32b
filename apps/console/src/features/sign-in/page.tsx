import MuiLink from '@mui/material/Link'
import Stack from '@mui/material/Stack'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useForm } from 'react-hook-form'
import { Link } from 'react-router'
import { api, errorText, useSite } from '../../api'
import { sessionQuery } from '../../api/site.ts'
import { notify, useT } from '../../ui'
import { FormFooter } from './form-footer.tsx'
import { Frame } from './frame.tsx'
import { PlainField } from './plain-field.tsx'

type Credentials = { username: string; password: string }

const isFilled = (text: string) => text.trim() !== ''

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
    </>
  )
  return (
    <Frame
      name={t('menu.login')}
      title={t('sign-in.title', { name: site.system_name })}
      footer={footer}
    >
      <SignInForm />
    </Frame>
  )
}

const SignInForm = () => {
  const t = useT()
  const client = useQueryClient()
  const [serverError, setServerError] = useState('')
  const { control, handleSubmit, formState } = useForm<Credentials>({
    defaultValues: { username: '', password: '' },
  })
  const submit = async (credentials: Credentials) => {
    setServerError('')
    try {
      const { id, username, role, avatar_url } = await api['sign-in'].login(credentials)
      localStorage.setItem('user', JSON.stringify({ id, username, role, avatar_url }))
      await client.invalidateQueries({ queryKey: ['groups'] })
      await client.fetchQuery({ ...sessionQuery, staleTime: 0 })
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
