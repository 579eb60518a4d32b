import { setTimeout as sleep } from 'node:timers/promises'
import type { Gateway } from '../../../harness/gateway.ts'
import { accountOf, query } from '../../../harness/ledger.ts'

export type SeenHolds = { leastAvailable: number; mostOpen: number; mostUnbounded: number }

/** Looks at the account and the open holds of a payer again and again, until it is stopped. */
export const watchHolds = (gateway: Gateway, userId: number) => {
  const seen: SeenHolds = { leastAvailable: Number.MAX_SAFE_INTEGER, mostOpen: 0, mostUnbounded: 0 }
  let isStopped = false
  const look = async () => {
    const { balance, held } = await accountOf(gateway, userId)
    const [row = {}] = await query(
      gateway,
      `select count(*) as n, sum(case when unbounded = 1 then 1 else 0 end) as alone
       from holds where user_id = ${userId}`,
    )
    seen.leastAvailable = Math.min(seen.leastAvailable, balance - held)
    seen.mostOpen = Math.max(seen.mostOpen, Number(row.n))
    seen.mostUnbounded = Math.max(seen.mostUnbounded, Number(row.alone ?? 0))
  }
  const watching = (async () => {
    while (!isStopped) {
      await look()
      await sleep(100)
    }
  })()
  return {
    stop: async (): Promise<SeenHolds> => {
      isStopped = true
      await watching
      return seen
    },
  }
}
