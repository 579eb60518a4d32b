import type { SignInResult } from '@hub/contract'
import Button from '@mui/material/Button'
import Stack from '@mui/material/Stack'
import Typography from '@mui/material/Typography'
import { useState } from 'react'
import { useForm } from 'react-hook-form'
import { api, errorText, isApiError } from '../../api'
import { useT } from '../../ui'
import { FormFooter } from './form-footer.tsx'
import { PlainField } from './plain-field.tsx'

type Props = {
  /** The token of the first step. */
  token: string
  finish: (result: SignInResult) => void
  startAgain: () => void
}

/** Asks for a code of the authenticator app, or a backup code. */
export const SecondStepForm = ({ token, finish, startAgain }: Props) => {
  const t = useT()
  const [serverError, setServerError] = useState('')
  const [isExpired, setIsExpired] = useState(false)
  const { control, handleSubmit, formState, resetField } = useForm({ defaultValues: { code: '' } })
  const submit = async ({ code }: { code: string }) => {
    setServerError('')
    try {
      finish(await api['sign-in'].secondStep({ token, code }))
    } catch (error) {
      setServerError(errorText(t, error).text)
      setIsExpired(isApiError(error) && error.code === 'second_factor.expired')
      resetField('code')
    }
  }
  return (
    <Stack component="form" noValidate spacing={2.25} onSubmit={handleSubmit(submit)}>
      <Typography variant="body2" sx={{ color: 'text.secondary' }}>
        {t('sign-in.secondStep.text')}
      </Typography>
      <PlainField
        control={control}
        name="code"
        label={t('sign-in.secondStep.code')}
        rules={{ minLength: 6, required: true }}
        errorText={t('sign-in.secondStep.required')}
        autoComplete="one-time-code"
      />
      {!isExpired && (
        <FormFooter
          error={serverError}
          submitLabel={t('sign-in.secondStep.action')}
          isSubmitting={formState.isSubmitting}
        />
      )}
      {isExpired && (
        <Typography role="alert" variant="body2" color="error">
          {serverError}
        </Typography>
      )}
      <Button color="inherit" fullWidth onClick={startAgain}>
        {t('sign-in.secondStep.startAgain')}
      </Button>
    </Stack>
  )
}
