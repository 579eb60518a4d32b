/** Why administrators are warned of a balance. Empty: they are not. */
export type BalanceWarning = '' | 'days' | 'below' | 'empty'

type Balance = { amount: number; kind: string; until: number | null }
/** `below` in the currency of the balance; 0 turns either limit off. */
export type BalanceLimits = { below: number; days: number }

const daySeconds = 86_400

/** A balance that lasts about as long as the limit would be warned of again and again without this distance. */
const recoveredDays = 1

/** A window that is used up refills by itself: only the channel's own limit warns of it. */
export const warningOf = (
  { amount, kind, until }: Balance,
  { below, days }: BalanceLimits,
  { before, now }: { before: string; now: number },
): BalanceWarning => {
  if (amount <= 0 && kind !== 'window') return 'empty'
  if (amount < below) return 'below'
  const daysMin = before === 'days' ? days + recoveredDays : days
  return days > 0 && until !== null && until - now < daysMin * daySeconds ? 'days' : ''
}

/** The message of a warning: 1 says that the balance is low, 2 that the account is empty. */
export const levelOf = (warning: BalanceWarning): 0 | 1 | 2 =>
  warning === 'empty' ? 2 : warning === '' ? 0 : 1
