import { alignDebtFreezes } from '../billing/orders/debts.ts'
import { reconcileOrders } from '../billing/orders/reconcile.ts'
import { defineJob } from '../core/define-job.ts'

export default defineJob({
  name: 'reconcile-orders',
  everySeconds: 15,
  run: async app => {
    await reconcileOrders(app)
    await alignDebtFreezes(app)
  },
})
