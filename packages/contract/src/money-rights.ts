import type { Settings } from './settings/index.ts'

/** The setting by which each right of the super administrator is given to administrators too. */
export const moneyRights = {
  gateways: 'AdminGatewayWritesAllowed',
  low_ratios: 'AdminLowRatiosAllowed',
  free_prices: 'AdminFreePricesAllowed',
  order_credits: 'AdminOrderCreditsAllowed',
  log_deletion: 'AdminLogDeletionAllowed',
} as const satisfies Record<string, keyof Settings['administrators']>

export type MoneyRight = keyof typeof moneyRights
export const moneyRightNames = Object.keys(moneyRights) as [MoneyRight, ...MoneyRight[]]

/** Only a user with the right `low_ratios` may newly set a group ratio below this. */
export const lowRatio = 0.1
