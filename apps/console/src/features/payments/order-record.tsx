import type { OrderDetail, OrderEvent, OrderPosting } from '@hub/contract'
import { minorDigits } from '@hub/contract/top-up-price'
import Alert from '@mui/material/Alert'
import Skeleton from '@mui/material/Skeleton'
import Stack from '@mui/material/Stack'
import Typography from '@mui/material/Typography'
import { useQuery } from '@tanstack/react-query'
import { api, query } from '../../api/index.ts'
import { Quota } from '../../domain/index.ts'
import { type T, useOptionalT } from '../../locales/use-t.ts'
import {
  Copyable,
  ErrorState,
  formatMoney,
  formatTime,
  KeyValue,
  PastTimestamp,
  Timestamp,
  useT,
} from '../../ui/index.ts'
import { formatUsd } from '../../ui/values/format.ts'
import { OrderActions } from './order-actions.tsx'
import { OrderState } from './order-state.tsx'

/** One order: its state and the reason of it, what can be done, and every exchange with the vendor. */
export const OrderRecord = ({ id }: { id: number }) => {
  const { data, error, refetch } = useQuery(query(api.orders.get, { id }))
  if (error) return <ErrorState error={error} retry={() => void refetch()} />
  if (!data) return <Skeleton variant="rounded" height={360} />
  return (
    <Stack spacing={2.5}>
      <Reason detail={data} />
      <OrderActions detail={data} />
      <OrderFields detail={data} />
      {data.postings.length > 0 && <Postings detail={data} />}
      {data.events.length > 0 && <Events detail={data} />}
    </Stack>
  )
}

/** The result of an exchange; below it the time, the other side and the subject. */
const EventLine = ({ event, currency, kind }: EventLineProps) => {
  const t = useT()
  const optionalT = useOptionalT()
  const { at, outcome, source, detail } = event
  const result =
    optionalT(`orders.outcomes.${outcome}`) ?? optionalT(`faults.${outcome}`) ?? outcome
  const facts = [formatTime(at), source, ...detailTexts(t, detail, currency)]
  return (
    <>
      <div>{[kind, result].filter(Boolean).join(' · ')}</div>
      <Typography variant="caption" component="div" sx={{ color: 'text.secondary' }}>
        {facts.filter(Boolean).join(' · ')}
      </Typography>
    </>
  )
}

type EventLineProps = {
  event: OrderEvent
  /** The currency of the order. */
  currency: string
  /** The kind of the exchange, where it is not clear. */
  kind?: string
}

type StoredEvent = {
  event?: string
  amount?: number
  currency?: string
  state?: string
  gateway_no?: string
  /** Describes a move to another group. */
  from?: string
  to?: string
  /** The top-up that paid a debt. */
  by?: string
}

/** Events of the vendor, moves and payments of debts are stored as JSON, faults and remarks as text. */
const readStoredEvent = (detail: string): StoredEvent | undefined => {
  try {
    const stored = JSON.parse(detail) as StoredEvent | null
    return stored?.event || stored?.to || stored?.by ? stored : undefined
  } catch {
    return undefined
  }
}

const payerText = (t: T, by: string): string => {
  const [kind, id = ''] = by.split(':')
  return t(`orders.payers.${kind}`, { id })
}

const detailTexts = (t: T, detail: string, orderCurrency: string): string[] => {
  const stored = readStoredEvent(detail)
  if (!stored) return [detail]
  const { amount, currency = orderCurrency, state, gateway_no = '', from, to, by } = stored
  if (to) return [`${from} → ${to}`]
  if (by) return [payerText(t, by)]
  return [
    amount === undefined ? '' : formatMoney(amount / 10 ** minorDigits(currency), currency),
    state ? t(`orders.reversalStates.${state}`) : '',
    gateway_no,
  ]
}

/** Answers why the order is in its state: the last notice, the last query and the next one. */
const Reason = ({ detail: { order, last_notice, last_query } }: { detail: OrderDetail }) => {
  const t = useT()
  const textOf = (event: OrderEvent | null, absentKey: string) =>
    event ? <EventLine event={event} currency={order.order_currency} /> : t(absentKey)
  return (
    <>
      {order.status === 'review' && order.review_reason && (
        <Alert severity="warning">{t(`orders.review.${order.review_reason}`)}</Alert>
      )}
      <KeyValue
        rows={[
          [t('orders.fields.status'), <OrderState key="state" order={order} />],
          [t('orders.lastNotice'), textOf(last_notice, 'orders.noNotice')],
          [t('orders.lastQuery'), textOf(last_query, 'orders.noQuery')],
          [
            t('orders.nextQuery'),
            <PastTimestamp key="next" at={order.next_query_at} fallbackKey="orders.noNextQuery" />,
          ],
        ]}
      />
    </>
  )
}

const OrderFields = ({ detail: { order, reversals } }: { detail: OrderDetail }) => {
  const t = useT()
  const money = (amount: number) => formatMoney(amount, order.order_currency)
  const field = (name: string) => t(`orders.fields.${name}`)
  return (
    <KeyValue
      rows={[
        [field('user_id'), `${order.username} (${order.user_id})`],
        [field('gateway_id'), `${order.gateway_name} (${order.gateway_id})`],
        [
          field('gateway_no'),
          order.gateway_no ? <Copyable key="number" text={order.gateway_no} /> : '–',
        ],
        [field('amount'), formatUsd(order.amount, 2)],
        [field('fee'), formatUsd(order.fee, 2)],
        [field('discount'), money(order.discount)],
        [field('order_amount'), money(order.order_amount)],
        [field('quota'), <Quota key="quota" value={order.quota} />],
        [field('created_at'), <Timestamp key="created" at={order.created_at} />],
        [field('credited_at'), <Timestamp key="credited" at={order.credited_at} />],
        ...(order.refunded_amount > 0
          ? [[field('refunded_amount'), money(order.refunded_amount)] as const]
          : []),
        ...(order.debt > 0
          ? [[field('debt'), <Quota key="debt" value={order.debt} />] as const]
          : []),
        ...reversals.map(
          each =>
            [
              t(`orders.reversals.${each.kind}`),
              `${money(each.amount)} · ${t(`orders.reversalStates.${each.state}`)} · ${each.number}`,
            ] as const,
        ),
      ]}
    />
  )
}

/** The points that moved: the credit, what was taken back or returned, and debts that were paid later. */
const Postings = ({ detail: { postings } }: { detail: OrderDetail }) => {
  const t = useT()
  const nameOf = ({ kind, points, by }: OrderPosting) => {
    if (kind === 'debt') return t('orders.postingKinds.debt', { by: payerText(t, by) })
    if (kind === 'order') return t('orders.postingKinds.order')
    return t(`orders.postingKinds.${points < 0 ? 'taken' : 'returned'}`)
  }
  return (
    <section>
      <Typography variant="h3" sx={{ mb: 1 }}>
        {t('orders.postings')}
      </Typography>
      <Stack component="ol" spacing={1} sx={{ m: 0, pl: 2.5, fontSize: 13 }}>
        {postings.map(posting => (
          <li key={posting.id}>
            <Quota value={posting.points} /> · {nameOf(posting)}
            <Typography variant="caption" component="div" sx={{ color: 'text.secondary' }}>
              {formatTime(posting.at)}
            </Typography>
          </li>
        ))}
      </Stack>
    </section>
  )
}

const Events = ({ detail: { order, events } }: { detail: OrderDetail }) => {
  const t = useT()
  return (
    <section>
      <Typography variant="h3" sx={{ mb: 1 }}>
        {t('orders.events')}
      </Typography>
      <Stack component="ol" spacing={1} sx={{ m: 0, pl: 2.5, fontSize: 13 }}>
        {events.map(event => (
          <li key={event.id}>
            <EventLine
              event={event}
              currency={order.order_currency}
              kind={t(`orders.kinds.${event.kind}`)}
            />
          </li>
        ))}
      </Stack>
    </section>
  )
}
