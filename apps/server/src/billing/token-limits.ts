import type { TokenSpendTable } from '../db/tables/ledger.ts'

/** What people see as the remaining quota of a token; 0 where it has no cap. A cap below what is used shows 0. */
export const remainingQuota = ({ cap, used, held }: TokenSpendTable): number =>
  cap === null ? 0 : Math.max(0, cap - used - held)

/** 1 enabled, 2 disabled, 3 expired, 4 exhausted: the last two come and go with time and cap by themselves. */
export const tokenStatus = (spend: TokenSpendTable, nowSeconds: number): 1 | 2 | 3 | 4 => {
  if (spend.status !== 1) return 2
  if (spend.expires_at !== -1 && spend.expires_at <= nowSeconds) return 3
  // A running call may have reserved the rest and give it back: exhausted is what is spent, not what is held.
  return spend.cap !== null && spend.cap - spend.used <= 0 ? 4 : 1
}
