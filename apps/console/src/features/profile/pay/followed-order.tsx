import { Card, useT } from '../../../ui/index.ts'
import { OrderProgress } from './order-progress.tsx'

/** The order to whose payment page the user went, or whose dialog was closed. */
export const FollowedOrder = ({ tradeNo }: { tradeNo: string }) => {
  const t = useT()
  return (
    <Card title={t('topup.dialog.title')}>
      <OrderProgress tradeNo={tradeNo} />
    </Card>
  )
}
