import Alert from '@mui/material/Alert'
import MuiLink from '@mui/material/Link'
import Stack from '@mui/material/Stack'
import { useState } from 'react'
import { useForm } from 'react-hook-form'
import { Link } from 'react-router'
import { api, errorText } from '../../api'
import { useBotCheck } from '../../layout/session/bot-check.tsx'
import { FormFooter } from '../../layout/session/form-footer.tsx'
import { PlainField } from '../../layout/session/plain-field.tsx'
import { useT } from '../../ui'
import { Frame } from './frame.tsx'

/** Asks for a link to choose a new password. The answer is the same whether an account has the address. */
export const ResetRequestPage = () => {
  const t = useT()
  const botCheck = useBotCheck('reset')
  const [serverError, setServerError] = useState('')
  const [isSent, setIsSent] = useState(false)
  const { control, handleSubmit, formState } = useForm({ defaultValues: { email: '' } })
  const submit = async ({ email }: { email: string }) => {
    setServerError('')
    try {
      await api['sign-in'].sendResetLink({ email, ...botCheck.take() })
      setIsSent(true)
    } catch (error) {
      setServerError(errorText(t, error).text)
    }
  }
  const footer = (
    <MuiLink component={Link} to="/login">
      {t('sign-in.reset.back')}
    </MuiLink>
  )
  return (
    <Frame name={t('sign-in.reset.title')} title={t('sign-in.reset.title')} footer={footer}>
      {isSent && (
        <Alert severity="success" variant="outlined">
          {t('sign-in.reset.sent')}
        </Alert>
      )}
      {!isSent && (
        <Stack component="form" noValidate spacing={2.25} onSubmit={handleSubmit(submit)}>
          <PlainField
            control={control}
            name="email"
            label={t('sign-in.email.label')}
            rules={{ pattern: /^\s*\S+@\S+\.\S+\s*$/, required: true }}
            errorText={t('sign-in.email.required')}
            autoComplete="email"
          />
          {botCheck.widget}
          <FormFooter
            error={serverError}
            submitLabel={t('sign-in.reset.send')}
            isSubmitting={formState.isSubmitting}
          />
        </Stack>
      )}
    </Frame>
  )
}
