import { OrderCredit, type OrderDetail, OrderRefund } from '@hub/contract'
import Button from '@mui/material/Button'
import Stack from '@mui/material/Stack'
import Typography from '@mui/material/Typography'
import { useState } from 'react'
import { api } from '../../api/index.ts'
import { useRightRefusal } from '../../api/site.ts'
import { DisabledFormButton } from '../../ui/form/dialog/form-dialog.tsx'
import { FormDialog, formatMoney, useAction, useT } from '../../ui/index.ts'

const creditable = ['pending', 'paid', 'closed', 'review']
const Remark = OrderCredit.pick({ remark: true })
const RefundAmount = OrderRefund.pick({ amount: true })

/** Asks the vendor, credits by hand, or refunds. Each is written to the audit log. */
export const OrderActions = ({ detail: { order, can_refund } }: { detail: OrderDetail }) => {
  const t = useT()
  const { id } = order
  const ask = useAction('orders', () => api.orders.ask({ id }), { successKey: 'orders.asked' })
  const creditNow = useAction('orders', api.orders.credit, { successKey: 'orders.credited' })
  const refundNow = useAction('orders', api.orders.refund, { successKey: 'orders.refunded' })
  // A repeated click of one dialog is one refund.
  const [number] = useState(() => crypto.randomUUID().replaceAll('-', ''))
  const rest = Math.round((order.order_amount - order.refunded_amount) * 100) / 100
  const refusal = useRightRefusal('order_credits')
  const isCreditable = order.credited_at === 0 && creditable.includes(order.status)
  const isRefundable = order.credited_at > 0 && rest > 0
  const button = { variant: 'outlined', color: 'inherit' } as const
  return (
    <Stack spacing={1}>
      <Stack direction="row" sx={{ gap: 1, flexWrap: 'wrap' }}>
        <Button variant="contained" disabled={ask.isPending} onClick={() => void ask(undefined)}>
          {t('orders.ask')}
        </Button>
        {isCreditable && refusal && (
          <DisabledFormButton label={t('orders.credit')} reason={refusal} />
        )}
        {isCreditable && !refusal && (
          <FormDialog
            resource="orders"
            title={t('orders.credit')}
            intro={<Intro text={t('orders.creditText')} />}
            submitLabel={t('orders.credit')}
            button={button}
            schema={Remark}
            submit={creditNow}
            transform={({ remark }: { remark: string }) => ({ id, remark })}
          />
        )}
        {isRefundable && (
          <FormDialog
            key={order.refunded_amount}
            resource="orders"
            title={t('orders.refund')}
            intro={<Intro text={t(can_refund ? 'orders.refundText' : 'orders.refundOnlyHere')} />}
            submitLabel={t('orders.refund')}
            button={button}
            schema={RefundAmount}
            initialValues={{ amount: rest }}
            fieldOverrides={{
              amount: { label: t('orders.refundAmount', { currency: order.order_currency }) },
            }}
            submit={refundNow}
            transform={({ amount }: { amount: number }) => ({
              ...{ id, amount },
              number: `${number.slice(0, 24)}${String(order.refunded_amount * 100).replace(/\D/g, '')}`,
            })}
          />
        )}
      </Stack>
      {isRefundable && (
        <Typography variant="caption" sx={{ color: 'text.secondary' }}>
          {t('orders.refundable', { amount: formatMoney(rest, order.order_currency) })}
        </Typography>
      )}
    </Stack>
  )
}

const Intro = ({ text }: { text: string }) => (
  <Typography variant="body2" sx={{ color: 'text.secondary', mb: 2 }}>
    {text}
  </Typography>
)
