import type { OrderStatus } from '@hub/contract'
import Alert from '@mui/material/Alert'
import Box from '@mui/material/Box'
import Skeleton from '@mui/material/Skeleton'
import Stack from '@mui/material/Stack'
import Typography from '@mui/material/Typography'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useEffect } from 'react'
import { api, errorText, isApiError, query, useSite } from '../../../api/index.ts'
import { formatQuota } from '../../../domain/index.ts'
import { formatMoney, useT } from '../../../ui/index.ts'

/** States that can still end in a credit. A late payment or an administrator credits the slower ones. */
const pollMilliseconds: Partial<Record<OrderStatus, number>> = {
  pending: 3000,
  paid: 3000,
  review: 30_000,
  closed: 30_000,
}

/** An order that is not the caller's is not asked for again; a server that does not answer is. */
const retryAfter = (error: unknown) =>
  isApiError(error) && error.status === 404 ? false : pollMilliseconds.pending

const severities: Partial<Record<OrderStatus, 'success' | 'warning'>> = {
  credited: 'success',
  review: 'warning',
  disputed: 'warning',
}

type Props = {
  tradeNo: string
  /** The way to pay, shown while the order is open. */
  children?: ReactNode
}

/** The sum and the state of an order, followed until it is credited or decided otherwise. */
export const OrderProgress = ({ tradeNo, children }: Props) => {
  const t = useT()
  const site = useSite()
  const client = useQueryClient()
  const { data: order, error } = useQuery({
    ...query(api.orders.own, { trade_no: tradeNo }),
    refetchInterval: ({ state }) =>
      state.data ? (pollMilliseconds[state.data.status] ?? false) : retryAfter(state.error),
  })
  const status = order?.status
  const isOpen = !status || status === 'pending'
  useEffect(() => {
    if (status === undefined || status === 'pending') return
    void client.invalidateQueries({ queryKey: ['orders', 'ownList'] })
    if (status === 'credited') void client.invalidateQueries({ queryKey: ['profile'] })
  }, [status, client])
  if (!order && error) return <Alert severity="error">{errorText(t, error).text}</Alert>
  return (
    <Stack spacing={2} sx={{ alignItems: 'center', textAlign: 'center', pb: 2 }}>
      <Typography sx={{ fontSize: 20, fontWeight: 600 }} component="p">
        {order ? formatMoney(order.order_amount, order.order_currency) : <Skeleton width={96} />}
      </Typography>
      {isOpen && children}
      <Box role="status" sx={{ width: '100%' }}>
        {order && !isOpen && (
          <Alert severity={severities[order.status] ?? 'info'} sx={{ textAlign: 'left' }}>
            {t(`topup.states.${order.status}`, { amount: formatQuota(order.quota, site) })}
          </Alert>
        )}
        {!order && !children && <Skeleton variant="rounded" height={48} />}
        {isOpen && (order || children) && (
          <Typography variant="body2" sx={{ color: 'text.secondary' }}>
            {t('topup.dialog.waiting')}
          </Typography>
        )}
      </Box>
      <Typography variant="caption" sx={{ color: 'text.secondary', overflowWrap: 'anywhere' }}>
        {t('topup.dialog.number', { number: tradeNo })}
      </Typography>
    </Stack>
  )
}
