import type { Order, OrderStatus } from '@hub/contract'
import { Badge, type Tone } from '../../ui/index.ts'

const tones: Record<OrderStatus, Tone> = {
  pending: 'gray',
  paid: 'blue',
  credited: 'green',
  closed: 'gray',
  refunded: 'violet',
  disputed: 'red',
  review: 'amber',
}

export const OrderState = ({ order: { status } }: { order: Pick<Order, 'status'> }) => (
  <Badge tone={tones[status]} labelKey={`orders.status.${status}`} />
)
