import { type Order, orderStatuses } from '@hub/contract'
import { api } from '../../api/index.ts'
import { Quota } from '../../domain/index.ts'
import {
  type Column,
  Copyable,
  DataTable,
  formatMoney,
  OneLine,
  Timestamp,
  useT,
} from '../../ui/index.ts'
import { formatUsd } from '../../ui/values/format.ts'
import { OrderRecord } from './order-record.tsx'
import { OrderState } from './order-state.tsx'

const columns: Column<Order>[] = [
  { key: 'created_at', width: 180, render: order => <Timestamp at={order.created_at} /> },
  { key: 'gateway_id', render: order => `${order.gateway_name} (${order.gateway_id})` },
  {
    key: 'user_id',
    render: order => (
      <OneLine>
        {order.username} ({order.user_id})
      </OneLine>
    ),
  },
  { key: 'trade_no', emphasized: true, render: order => <Copyable text={order.trade_no} /> },
  {
    key: 'gateway_no',
    hidden: true,
    render: order => (order.gateway_no ? <Copyable text={order.gateway_no} /> : '–'),
  },
  { key: 'amount', align: 'right', render: order => formatUsd(order.amount, 2) },
  { key: 'fee', align: 'right', hidden: true, render: order => formatUsd(order.fee, 2) },
  {
    key: 'discount',
    align: 'right',
    hidden: true,
    render: order => formatMoney(order.discount, order.order_currency),
  },
  {
    key: 'order_amount',
    align: 'right',
    render: order => formatMoney(order.order_amount, order.order_currency),
  },
  { key: 'quota', align: 'right', render: order => <Quota value={order.quota} /> },
  { key: 'status', render: order => <OrderState order={order} /> },
]

/** The orders of all users. A click opens the order with all that the vendor said about it. */
export const Orders = () => {
  const t = useT()
  const statuses = orderStatuses.map(value => ({ value, label: t(`orders.status.${value}`) }))
  return (
    <DataTable
      resource="orders"
      list={api.orders.list}
      order="-created_at"
      columns={columns}
      filters={[
        { key: 'trade_no', kind: 'text' },
        { key: 'gateway_no', kind: 'text' },
        { key: 'user_id', kind: 'number', labelKey: 'orders.userId' },
        { key: 'gateway_id', kind: 'number', labelKey: 'orders.gatewayId' },
        { key: 'status', kind: 'select', options: statuses },
        { key: 'start_timestamp', kind: 'time' },
        { key: 'end_timestamp', kind: 'time' },
      ]}
      card={{
        title: order => order.trade_no,
        fields: ['created_at', 'user_id', 'order_amount', 'status'],
      }}
      drawer={order => <OrderRecord id={order.id} />}
      drawerTitle={order => order.trade_no}
    />
  )
}
