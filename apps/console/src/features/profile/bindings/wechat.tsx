import Button from '@mui/material/Button'
import Stack from '@mui/material/Stack'
import Typography from '@mui/material/Typography'
import { useState } from 'react'
import { z } from 'zod'
import { api, useUser } from '../../../api'
import { ProofForm } from '../../../domain/sign-in/proof-form.tsx'
import { useWeChatState, WeChatGuide } from '../../../domain/sign-in/wechat-code.tsx'
import { Card, useAction, useT } from '../../../ui'

const Code = z.string().trim().min(1).max(64)

/** Binds an account of WeChat to the user, and removes it. */
export const WeChat = () => {
  const t = useT()
  const user = useUser()
  const [isOpen, setIsOpen] = useState(false)
  const close = () => setIsOpen(false)
  const isBound = user.wechat_id !== ''
  return (
    <Card title={t('wechat.title')} intro={isBound ? t('wechat.bound') : t('wechat.intro')}>
      {!isOpen && (
        <Button
          variant="outlined"
          color={isBound ? 'error' : 'inherit'}
          onClick={() => setIsOpen(true)}
        >
          {t(isBound ? 'wechat.unbind' : 'wechat.bind')}
        </Button>
      )}
      {isOpen && (isBound ? <Unbind close={close} /> : <Bind close={close} />)}
      {isOpen && (
        <Button size="small" color="inherit" sx={{ mt: 1 }} onClick={close}>
          {t('common.cancel')}
        </Button>
      )}
    </Card>
  )
}

type BindInput = { wechat_code: string }

const Bind = ({ close }: { close: () => void }) => {
  const t = useT()
  const withState = useWeChatState()
  const bind = useAction(
    'profile',
    ({ wechat_code, ...proof }: BindInput) =>
      withState(state => api.oauth.bindWeChat({ ...proof, wechat_code, state })),
    { successKey: 'wechat.done', onSuccess: close },
  )
  return (
    <Stack spacing={2}>
      <WeChatGuide />
      <ProofForm
        endpoint={api.oauth.bindWeChat}
        schemaOf={proof => z.object({ wechat_code: Code, ...proof })}
        submit={bind}
        submitLabel={t('wechat.bind')}
        fieldOverrides={{ wechat_code: { label: t('wechat.code'), autoComplete: 'one-time-code' } }}
      />
    </Stack>
  )
}

const Unbind = ({ close }: { close: () => void }) => {
  const t = useT()
  const unbind = useAction('profile', api.oauth.unbind, {
    successKey: 'wechat.removed',
    onSuccess: close,
  })
  return (
    <>
      <Typography variant="body2" sx={{ mb: 2 }}>
        {t('wechat.bound')}
      </Typography>
      <ProofForm
        endpoint={api.oauth.unbind}
        submit={unbind}
        submitLabel={t('wechat.unbind')}
        transform={proof => ({ ...proof, type: 'wechat' })}
      />
    </>
  )
}
