export { FollowedOrder } from './followed-order.tsx'
export { OnlineTopUp } from './online.tsx'
export { OwnOrders } from './own-orders.tsx'
