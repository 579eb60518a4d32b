import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import Stack from '@mui/material/Stack'
import Typography from '@mui/material/Typography'
import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense, useState } from 'react'
import { api, query, useSite, useUser } from '../../../api'
import { ProofForm } from '../../../domain/sign-in/proof-form.tsx'
import { Card, Copyable, useAction, useT } from '../../../ui'

const QrCode = lazy(async () => ({ default: (await import('qrcode.react')).QRCodeSVG }))

type BindLink = { url: string; code: string }

/** While a link is open, the page checks this often whether somebody used it. */
const refetchMilliseconds = 3000

/** Binds an account of Telegram by a link to the bot, and removes it. */
export const Telegram = () => {
  const t = useT()
  const user = useUser()
  const [isOpen, setIsOpen] = useState(false)
  const [link, setLink] = useState<BindLink>()
  const isBound = user.telegram_id !== 0
  const close = () => {
    setIsOpen(false)
    setLink(undefined)
  }
  const intro = isBound
    ? t('telegram-account.bound', { id: user.telegram_id })
    : t('telegram-account.intro')
  return (
    <Card title="Telegram" intro={intro}>
      {!isOpen && (
        <Button
          variant="outlined"
          color={isBound ? 'error' : 'inherit'}
          onClick={() => setIsOpen(true)}
        >
          {t(isBound ? 'telegram-account.unbind' : 'telegram-account.bind')}
        </Button>
      )}
      {isOpen && !isBound && (link ? <OpenLink link={link} /> : <MakeLink onMade={setLink} />)}
      {isOpen && isBound && (link ? <Done close={close} /> : <Unbind close={close} />)}
      {isOpen && !(isBound && link) && (
        <Button size="small" color="inherit" sx={{ mt: 1 }} onClick={close}>
          {t('common.cancel')}
        </Button>
      )}
    </Card>
  )
}

const MakeLink = ({ onMade }: { onMade: (link: BindLink) => void }) => {
  const t = useT()
  const make = useAction('telegram', api.telegram.link, { onSuccess: onMade })
  return (
    <ProofForm
      endpoint={api.telegram.link}
      submit={make}
      submitLabel={t('telegram-account.makeLink')}
    />
  )
}

const OpenLink = ({ link: { url, code } }: { link: BindLink }) => {
  const t = useT()
  const bot = useSite().telegram_bot
  useQuery({ ...query(api.profile.session), refetchInterval: refetchMilliseconds })
  return (
    <Stack spacing={2}>
      <Typography variant="body2">{t('telegram-account.open', { bot })}</Typography>
      {/* White in both themes, because cameras read dark modules on a light ground only. */}
      <Box sx={{ p: 1.5, bgcolor: '#fff', borderRadius: '8px', width: 'fit-content' }}>
        <Suspense fallback={<Box sx={{ width: 176, height: 176 }} />}>
          <QrCode value={url} size={176} title={t('telegram-account.qrCode')} />
        </Suspense>
      </Box>
      <Button
        variant="contained"
        href={url}
        target="_blank"
        rel="noreferrer"
        sx={{ alignSelf: 'flex-start' }}
      >
        {t('telegram-account.openApp')}
      </Button>
      <Box>
        <Typography variant="body2" sx={{ color: 'text.secondary' }}>
          {t('telegram-account.byHand', { bot })}
        </Typography>
        <Copyable text={`/bind ${code}`} what={t('telegram-account.command')} />
      </Box>
    </Stack>
  )
}

const Done = ({ close }: { close: () => void }) => {
  const t = useT()
  return (
    <Stack spacing={2} sx={{ alignItems: 'flex-start' }}>
      <Typography role="status">{t('telegram-account.done')}</Typography>
      <Button variant="outlined" color="inherit" onClick={close}>
        {t('common.close')}
      </Button>
    </Stack>
  )
}

const Unbind = ({ close }: { close: () => void }) => {
  const t = useT()
  const unbind = useAction('profile', api.telegram.unbind, {
    successKey: 'telegram-account.removed',
    onSuccess: close,
  })
  return (
    <ProofForm
      endpoint={api.telegram.unbind}
      submit={unbind}
      submitLabel={t('telegram-account.unbind')}
    />
  )
}
