import { formatPercent } from '../../../ui/index.ts'

type Attempts = { requests: number; failed: number }

/** The share of attempts that succeeded. Undefined: there was none. */
export const successOf = ({ requests, failed }: Attempts): number | undefined =>
  requests + failed === 0 ? undefined : requests / (requests + failed)

export const colourOf = (success: number | undefined): string => {
  if (success === undefined) return 'divider'
  if (success >= 0.99) return 'success.main'
  return success >= 0.9 ? 'warning.main' : 'error.main'
}

export const percentText = (success: number): string => formatPercent(success * 100, { places: 1 })
