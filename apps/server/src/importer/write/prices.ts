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
  const left: { model: string; reason: string }[] = []
  for (const { note, ...given } of imported) {
    const row = { id: given.model, name: given.model }
    const read = Price.safeParse(given)
    const { issues } = read.error ?? {}
    if (read.success) prices.set(read.data.model, read.data)
    else
      left.push({
        model: given.model,
        reason: `\`${issues![0]!.path.join('.')}\` ${issues![0]!.message}`,
      })
    if (read.success) report.carry('prices')
    if (read.success && isFree(read.data))
      report.change('prices', row, 'is free of charge, because the source says 0')
    if (note !== undefined) report.change('prices', row, note)
  }
  for (const { model, reason } of left)
    report.skip('prices', { id: model, name: model }, `${reason}${coveredBy(model, prices)}`)
  await versions.addPrices(tx, [...prices.values()].map(columnsOf))
}

/** A model without a price of its own is charged by the longest prefix that fits. */
const coveredBy = (model: string, prices: ReadonlyMap<string, Price>): string => {
  const [longest] = [...prices.values()]
    .filter(each => each.model.endsWith('*') && model.startsWith(each.model.slice(0, -1)))
    .toSorted((a, b) => b.model.length - a.model.length)
  if (longest === undefined) return ''
  const isFreeHere = isFree(longest) ? ', which is free of charge' : ''
  return `: its calls cost what “${longest.model}” says${isFreeHere}`
}

const isFree = ({ type, input, output, tool_prices }: Price): boolean =>
  input === 0 && (type === 'times' || output === 0) && tool_prices === null
