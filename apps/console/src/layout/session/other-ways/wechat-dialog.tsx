import type { SignInResult } from '@hub/contract'
import Button from '@mui/material/Button'
import Dialog from '@mui/material/Dialog'
import DialogContent from '@mui/material/DialogContent'
import DialogTitle from '@mui/material/DialogTitle'
import Stack from '@mui/material/Stack'
import { useId, useState } from 'react'
import { useForm } from 'react-hook-form'
import { api, errorText } from '../../../api'
import { useWeChatState, WeChatGuide } from '../../../domain/sign-in/wechat-code.tsx'
import { useT } from '../../../ui'
import { FormFooter } from '../form-footer.tsx'
import { PlainField } from '../plain-field.tsx'

type Props = { finish: (result: SignInResult) => void; close: () => void }

/** Asks for the code that the official account sent to the user. */
export const WeChatDialog = ({ finish, close }: Props) => {
  const t = useT()
  const id = useId()
  const withState = useWeChatState()
  const [serverError, setServerError] = useState('')
  const { control, handleSubmit, formState } = useForm({ defaultValues: { code: '' } })
  const submit = async ({ code }: { code: string }) => {
    setServerError('')
    const aff = localStorage.getItem('aff') ?? ''
    try {
      finish(await withState(state => api.oauth.loginByWeChat({ code, state, aff })))
    } catch (error) {
      setServerError(errorText(t, error).text)
    }
  }
  return (
    <Dialog open fullWidth maxWidth="xs" onClose={close} aria-labelledby={id}>
      <DialogTitle id={id}>{t('sign-in.wechat.action')}</DialogTitle>
      <DialogContent>
        <Stack
          component="form"
          noValidate
          spacing={2.25}
          onSubmit={event => {
            event.stopPropagation()
            void handleSubmit(submit)(event)
          }}
        >
          <WeChatGuide />
          <PlainField
            control={control}
            name="code"
            label={t('wechat.code')}
            rules={{ required: true }}
            errorText={t('wechat.required')}
            autoComplete="one-time-code"
          />
          <FormFooter
            error={serverError}
            submitLabel={t('menu.login')}
            isSubmitting={formState.isSubmitting}
          />
          <Button color="inherit" fullWidth onClick={close}>
            {t('common.cancel')}
          </Button>
        </Stack>
      </DialogContent>
    </Dialog>
  )
}
