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

/** The decimal places that six significant digits need. */
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
