import { abbreviate, formatUsd } from '../ui/values/format.ts'

/** Decides how points are written: points per US dollar, and whether they are shown as money at all. */
export type QuotaDisplay = { quota_per_unit: number; display_in_currency: boolean }

/** Formats a balance with two decimals, as lists and cards show it. The exact figure is `formatCharge`. */
export const formatQuota = (points: number, site: QuotaDisplay): string => {
  if (!site.display_in_currency) return abbreviate(points)
  return formatUsd(points / site.quota_per_unit, 2)
}

/** Formats a charge or a price with up to six significant digits and at least two decimals. */
export const formatCharge = (points: number, site: QuotaDisplay): string =>
  site.display_in_currency ? formatUsd(points / site.quota_per_unit) : abbreviate(points)

/** Converts US dollars to whole points. */
export const usdToPoints = (usd: number, site: QuotaDisplay): number =>
  Math.round(usd * site.quota_per_unit)

export const usedPercent = ({
  quota,
  used_quota,
}: {
  quota: number
  used_quota: number
}): number => {
  const total = quota + used_quota
  return total > 0 ? (used_quota / total) * 100 : 0
}

export const usedTone = (percent: number): 'success' | 'warning' | 'error' =>
  percent < 60 ? 'success' : percent < 85 ? 'warning' : 'error'
