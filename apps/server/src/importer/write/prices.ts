import { Price } from '@hub/contract'
import { columnsOf } from '../../billing/prices/columns.ts'
import * as versions from '../../db/queries/price-versions.ts'
import type { ImportedPrice } from '../gateway-data.ts'
import type { ImportContext } from './context.ts'

/** The prices of the source are the only ones: a built-in price would win over a wildcard of the source. */
export const writePrices = async (
  { tx, report }: ImportContext,
  imported: readonly ImportedPrice[] | undefined,
): Promise<void> => {
  if (imported === undefined) return
  const prices = new Map<string, Price>()
  for (const { note, ...given } of imported) {
    const row = { id: given.model, name: given.model }
    const read = Price.safeParse(given)
    const { issues } = read.error ?? {}
    if (read.success) prices.set(read.data.model, read.data)
    else report.skip('prices', row, `\`${issues![0]!.path.join('.')}\` ${issues![0]!.message}`)
    if (read.success) report.carry('prices')
    if (read.success && isFree(read.data))
      report.change('prices', row, 'is free of charge, because the source says 0')
    if (note !== undefined) report.change('prices', row, note)
  }
  await versions.addPrices(tx, [...prices.values()].map(columnsOf))
}

const isFree = ({ type, input, output, tool_prices }: Price): boolean =>
  input === 0 && (type === 'times' || output === 0) && tool_prices === null
