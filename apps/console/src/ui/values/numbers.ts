export type MoneyShape = { quota_per_unit: number; display_in_currency: boolean }

/** Balances: two places, as everywhere in this product. What is not nothing is never shown as nothing. */
export const formatQuota = (points: number, site: MoneyShape): string => {
  if (!site.display_in_currency) return abbreviate(points)
  const usd = points / site.quota_per_unit
  return formatUsd(usd, Math.abs(usd) >= 0.005 || points === 0 ? 2 : undefined)
}

/** Charges and prices: up to six significant digits, at least two places. */
export const formatCharge = (points: number, site: MoneyShape): string =>
  site.display_in_currency ? formatUsd(points / site.quota_per_unit) : abbreviate(points)

export const formatUsd = (usd: number, places?: number): string => {
  const sign = usd < 0 ? '-' : ''
  const size = Math.abs(usd)
  const digits =
    places === undefined
      ? size.toLocaleString('en-US', {
          minimumFractionDigits: 2,
          maximumFractionDigits: Math.min(12, decimalsOf(size)),
        })
      : size.toLocaleString('en-US', {
          minimumFractionDigits: places,
          maximumFractionDigits: places,
        })
  return `${sign}$${digits}`
}

/** How many places six significant digits need. */
const decimalsOf = (size: number) =>
  size === 0 ? 2 : Math.max(2, 5 - Math.floor(Math.log10(size)))

export const abbreviate = (value: number): string => {
  const size = Math.abs(value)
  if (size >= 1e9) return `${(value / 1e9).toFixed(1)}B`
  if (size >= 1e6) return `${(value / 1e6).toFixed(1)}M`
  if (size >= 1e4) return `${(value / 1e3).toFixed(1)}k`
  return formatCount(value)
}

export const formatCount = (value: number): string => value.toLocaleString('en-US')

export const formatDuration = (ms: number): string => {
  if (ms < 1000) return `${Math.round(ms)} ms`
  if (ms < 60_000) return `${(ms / 1000).toFixed(2)} s`
  return `${Math.floor(ms / 60_000)} min ${Math.round((ms % 60_000) / 1000)} s`
}

/** What a person typed in dollars, in points. */
export const pointsOf = (usd: number, site: MoneyShape): number =>
  Math.round(usd * site.quota_per_unit)

export const usedPercent = ({
  quota,
  used_quota,
}: {
  quota: number
  used_quota: number
}): number => {
  const all = quota + used_quota
  return all > 0 ? (used_quota / all) * 100 : 0
}

export const usedTone = (percent: number): 'success' | 'warning' | 'error' =>
  percent < 60 ? 'success' : percent < 85 ? 'warning' : 'error'
