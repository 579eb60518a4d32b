import { formatPercent } from '../../../ui/index.ts'

type Attempts = { requests: number; failed: number; empty: number }

/** The share of attempts that brought an answer with output. Undefined: there was none. */
export const successOf = ({ requests, failed, empty }: Attempts): number | undefined =>
  requests + failed === 0 ? undefined : Math.max(0, requests - empty) / (requests + failed)

export const colourOf = (success: number | undefined): string => {
  if (success === undefined) return 'divider'
  if (success >= 0.99) return 'success.main'
  return success >= 0.9 ? 'warning.main' : 'error.main'
}

export const percentText = (success: number): string => formatPercent(success * 100, { places: 1 })
