import type { SimulatedModel } from '@hub/contract'
import { csvOf } from '../../ui/csv.ts'
import { decimal, dividedBy, rounded, times, writeDecimal } from '../../ui/decimal.ts'
import type { T } from '../../ui/index.ts'

/** Sums over pieces. Points of many requests pass what a number holds exactly. */
export type Total = { model: string; requests: number; charged: bigint; simulated: bigint }

export const addPiece = (totals: readonly Total[], piece: readonly SimulatedModel[]): Total[] => {
  const sums = new Map(totals.map(each => [each.model, each]))
  for (const { model, requests, charged, simulated } of piece) {
    const sum = sums.get(model) ?? { model, requests: 0, charged: 0n, simulated: 0n }
    sums.set(model, {
      model,
      requests: sum.requests + requests,
      charged: sum.charged + BigInt(charged),
      simulated: sum.simulated + BigInt(simulated),
    })
  }
  // What costs most stands first.
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

/** By how much it becomes dearer, in percent at one place; undefined where nothing was charged. */
export const percentOf = ({ charged, simulated }: Total): string | undefined => {
  if (charged === 0n) return undefined
  const share = dividedBy(times(decimal(simulated - charged), decimal(100)), decimal(charged), 2)
  return `${simulated > charged ? '+' : ''}${writeDecimal(rounded(share, 1))}%`
}

/** Of any number of points, exact, in dollars with at most six places. */
export const usdText = (points: bigint): string => {
  const usd = rounded(times(decimal(points), decimal('0.000002')), 6)
  const [whole = '0', part = ''] = writeDecimal(usd).replace('-', '').split('.')
  const size = `${BigInt(whole).toLocaleString('en-US')}.${part.padEnd(2, '0')}`
  return `${points < 0n ? '−' : ''}$${size}`
}

export const totalsCsv = (t: T, totals: readonly Total[]): string => {
  const head = ['model', 'requests', 'charged', 'simulated', 'difference', 'percent', 'usd']
  const row = (name: string, total: Total): (string | number)[] => [
    name,
    total.requests,
    // As digits: a spreadsheet reads them as numbers, however long.
    ...[total.charged, total.simulated, total.simulated - total.charged].map(each => Number(each)),
    percentOf(total) ?? '',
    writeDecimal(times(decimal(total.simulated - total.charged), decimal('0.000002'))),
  ]
  return csvOf([
    head.map(key => t(`simulator.fields.${key}`)),
    ...totals.map(each => row(each.model, each)),
    row(t('simulator.total'), totalOf(totals)),
  ])
}
