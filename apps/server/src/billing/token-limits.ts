import type { TokenSpendTable } from '../db/tables/ledger.ts'

/** The remaining quota of a token, as it is shown. 0 if the token has no cap, or a cap below its use. */
export const remainingQuota = ({ cap, used, held }: TokenSpendTable): number =>
  cap === null ? 0 : Math.max(0, cap - used - held)

/** 1 enabled, 2 disabled, 3 expired, 4 exhausted. 3 and 4 are computed from time and cap, not stored. */
export const tokenStatus = (spend: TokenSpendTable, nowSeconds: number): 1 | 2 | 3 | 4 => {
  if (spend.status !== 1) return 2
  if (spend.expires_at !== -1 && spend.expires_at <= nowSeconds) return 3
  // A running call may release its hold, so only spent quota counts, not held quota.
  return spend.cap !== null && spend.cap - spend.used <= 0 ? 4 : 1
}
