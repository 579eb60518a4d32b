import type { SimulatedModel } from '@hub/contract'
import { decimal, dividedBy, rounded, times, writeDecimal } from '../../domain/decimal.ts'
import { toCsv } from '../../ui/csv.ts'
import { formatNumber, type T } from '../../ui/index.ts'

/** Totals over all pages; points are bigints, because sums can exceed the safe integer range. */
export type Total = { model: string; requests: number; charged: bigint; simulated: bigint }

export const addReplayPage = (
  totals: readonly Total[],
  page: readonly SimulatedModel[],
): Total[] => {
  const sums = new Map(totals.map(each => [each.model, each]))
  for (const { model, requests, charged, simulated } of page) {
    const sum = sums.get(model) ?? { model, requests: 0, charged: 0n, simulated: 0n }
    sums.set(model, {
      model,
      requests: sum.requests + requests,
      charged: sum.charged + BigInt(charged),
      simulated: sum.simulated + BigInt(simulated),
    })
  }
  // The most expensive model comes first.
  return [...sums.values()].sort((a, b) =>
    a.charged === b.charged ? 0 : a.charged > b.charged ? -1 : 1,
  )
}

export const totalOf = (totals: readonly Total[]): Total => ({
  model: '',
  requests: totals.reduce((sum, each) => sum + each.requests, 0),
  charged: totals.reduce((sum, each) => sum + each.charged, 0n),
  simulated: totals.reduce((sum, each) => sum + each.simulated, 0n),
})

/** The difference in percent with one decimal place; undefined if nothing was charged. */
export const percentOf = ({ charged, simulated }: Total): string | undefined => {
  if (charged === 0n) return undefined
  const share = dividedBy(times(decimal(simulated - charged), decimal(100)), decimal(charged), 2)
  return `${simulated > charged ? '+' : ''}${writeDecimal(rounded(share, 1))}%`
}

/** Points as exact dollars with two to six decimal places. */
export const usdText = (points: bigint): string => {
  const usd = rounded(times(decimal(points), decimal('0.000002')), 6)
  const size = writeDecimal(usd).replace('-', '') as `${number}`
  const digits = formatNumber(size, { minimumFractionDigits: 2, maximumFractionDigits: 6 })
  return `${points < 0n ? '−' : ''}$${digits}`
}

export const totalsCsv = (t: T, totals: readonly Total[]): string => {
  const header = ['model', 'requests', 'charged', 'simulated', 'difference', 'percent', 'usd']
  const row = (name: string, total: Total): (string | number)[] => [
    name,
    total.requests,
    // Numbers without digit grouping, so that spreadsheets read them as numbers.
    ...[total.charged, total.simulated, total.simulated - total.charged].map(each => Number(each)),
    percentOf(total) ?? '',
    writeDecimal(times(decimal(total.simulated - total.charged), decimal('0.000002'))),
  ]
  return toCsv([
    header.map(key => t(`simulator.fields.${key}`)),
    ...totals.map(each => row(each.model, each)),
    row(t('simulator.total'), totalOf(totals)),
  ])
}
