import type { OrderStatus, OwnOrder } from '@hub/contract'
import { api } from '../../../api/index.ts'
import { Quota } from '../../../domain/index.ts'
import {
  Badge,
  Card,
  type Column,
  Copyable,
  DataTable,
  formatMoney,
  Timestamp,
  type Tone,
  useT,
} from '../../../ui/index.ts'

const tones: Record<OrderStatus, Tone> = {
  pending: 'gray',
  paid: 'blue',
  credited: 'green',
  closed: 'gray',
  refunded: 'violet',
  disputed: 'red',
  review: 'amber',
}

const columns: Column<OwnOrder>[] = [
  { key: 'created_at', width: 180, render: order => <Timestamp at={order.created_at} /> },
  { key: 'gateway_name', emphasized: true },
  {
    key: 'order_amount',
    align: 'right',
    render: order => formatMoney(order.order_amount, order.order_currency),
  },
  { key: 'quota', align: 'right', render: order => <Quota value={order.quota} /> },
  {
    key: 'status',
    render: order => <Badge tone={tones[order.status]} labelKey={`topup.status.${order.status}`} />,
  },
  { key: 'trade_no', render: order => <Copyable text={order.trade_no} /> },
]

/** The caller's orders and their states. */
export const OwnOrders = () => {
  const t = useT()
  return (
    <Card title={t('topup.title')}>
      <DataTable
        resource="topup"
        list={api.orders.ownList}
        order="-created_at"
        columns={columns}
        card={{
          title: order => order.gateway_name,
          fields: ['created_at', 'order_amount', 'quota', 'status'],
        }}
      />
    </Card>
  )
}
