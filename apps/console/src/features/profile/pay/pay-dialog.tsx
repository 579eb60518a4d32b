import type { PlacedOrder } from '@hub/contract'
import Alert from '@mui/material/Alert'
import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import CircularProgress from '@mui/material/CircularProgress'
import Dialog from '@mui/material/Dialog'
import DialogContent from '@mui/material/DialogContent'
import DialogTitle from '@mui/material/DialogTitle'
import Stack from '@mui/material/Stack'
import Typography from '@mui/material/Typography'
import { useQueryClient } from '@tanstack/react-query'
import { lazy, Suspense, useEffect, useId, useState } from 'react'
import { api, errorText } from '../../../api'
import { DialogCloseButton, useT } from '../../../ui'
import { isWebAddress } from './amounts.ts'
import { OrderProgress } from './order-progress.tsx'

const QrCode = lazy(async () => ({ default: (await import('qrcode.react')).QRCodeSVG }))

/** A QR code of a payment is shown for this long. The order itself can be paid longer. */
const qrSeconds = 180

/** The dialog grows downwards when the way to pay arrives: a centred one would move under the reader's eyes. */
const heldAtTop = {
  '& .MuiDialog-container': { alignItems: 'flex-start' },
  '& .MuiDialog-paper': { mt: { xs: 4, sm: '12vh' } },
}

type Props = {
  order: { uuid: string; amount: number }
  /** Called once with the number of the order that was made. */
  onPlaced: (tradeNo: string) => void
  close: () => void
}

/** Places an order, shows the way to pay it, and follows the order until it is credited or decided otherwise. */
export const PayDialog = ({ order, onPlaced, close }: Props) => {
  const t = useT()
  const id = useId()
  const client = useQueryClient()
  const [placed, setPlaced] = useState<PlacedOrder>()
  const [failure, setFailure] = useState<unknown>()
  // One order per opened dialog, also where React runs effects twice.
  const [placing] = useState(() => ({ begun: false }))
  useEffect(() => {
    if (placing.begun) return
    placing.begun = true
    const show = (made: PlacedOrder) => {
      setPlaced(made)
      onPlaced(made.trade_no)
    }
    api.orders.place(order).then(show, setFailure)
  }, [order, onPlaced, placing])
  const end = () => {
    void client.invalidateQueries({ queryKey: ['orders'] })
    close()
  }
  return (
    <Dialog open fullWidth maxWidth="xs" aria-labelledby={id} sx={heldAtTop}>
      <DialogCloseButton onClick={end} />
      <DialogTitle id={id} sx={{ pr: 7 }}>
        {t('topup.dialog.title')}
      </DialogTitle>
      <DialogContent>
        {failure !== undefined && <Alert severity="error">{errorText(t, failure).text}</Alert>}
        {!placed && failure === undefined && (
          <Stack spacing={2} sx={{ alignItems: 'center', py: 4 }} role="status">
            <CircularProgress aria-hidden />
            <span>{t('topup.dialog.starting')}</span>
          </Stack>
        )}
        {placed && <PlacedPayment placed={placed} />}
      </DialogContent>
    </Dialog>
  )
}

const PlacedPayment = ({ placed }: { placed: PlacedOrder }) => (
  <OrderProgress tradeNo={placed.trade_no}>
    {placed.type === 2 ? <QrPayment url={placed.data.url} /> : <PaymentPage placed={placed} />}
  </OrderProgress>
)

/** The application of Alipay opens such an address itself. */
const isAlipayCode = (url: string) => url.startsWith('https://qr.alipay.com')

const QrPayment = ({ url }: { url: string }) => {
  const t = useT()
  const [isExpired, setExpired] = useState(false)
  useEffect(() => {
    const timer = setTimeout(() => setExpired(true), qrSeconds * 1000)
    return () => clearTimeout(timer)
  }, [])
  if (isExpired) return <Alert severity="warning">{t('topup.dialog.expired')}</Alert>
  return (
    <>
      {/* White in both themes, because cameras read dark modules on a light ground only. */}
      <Box sx={{ p: 1.5, bgcolor: '#fff', borderRadius: '8px' }}>
        <Suspense fallback={<Box sx={{ width: 256, height: 256 }} />}>
          <QrCode value={url} size={256} title={t('topup.dialog.qrCode')} />
        </Suspense>
      </Box>
      <Typography variant="body2">{t('topup.dialog.scan')}</Typography>
      {isAlipayCode(url) && (
        <Button href={url} target="_blank" rel="noreferrer noopener" variant="outlined">
          {t('topup.dialog.openApp')}
        </Button>
      )}
    </>
  )
}

/**
 * The user opens the page, so that no browser blocks it as a pop-up. The fields of a form stand in the address: gateways
 * read them there too, and the page's policy allows forms to this server only.
 */
const PaymentPage = ({ placed: { data } }: { placed: PlacedOrder }) => {
  const t = useT()
  if (!isWebAddress(data.url)) return <Alert severity="error">{t('topup.dialog.unsafe')}</Alert>
  const address = new URL(data.url)
  for (const [name, value] of Object.entries(data.params ?? {}))
    address.searchParams.set(name, value)
  return (
    <Button href={address.href} target="_blank" rel="noreferrer noopener" variant="contained">
      {t('topup.dialog.openPage')}
    </Button>
  )
}
