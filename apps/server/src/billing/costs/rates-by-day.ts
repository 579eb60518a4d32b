import type { Database } from '../../db/index.ts'
import { listRates } from '../../db/queries/costs.ts'
import { type Decimal, parseDecimal } from '../../lib/decimal.ts'

/** Units of a currency for a US dollar, and the second since which the operator counts so. */
export type DayRate = { currency: string; since: number; text: string; rate: Decimal }

/** Finds the rate of a currency at the end of a day. Undefined: the operator gave none until then. */
export type RatesByDay = (currency: string, dayEnd: number) => DayRate | undefined

export const readRates = async (db: Database): Promise<RatesByDay> => {
  const newestFirst = (await listRates(db)).flatMap(
    ({ currency, valid_from: since, rate: text }) => {
      const rate = parseDecimal(text)
      return rate && rate.digits > 0n ? [{ currency, since, text, rate }] : []
    },
  )
  const byCurrency = Map.groupBy(newestFirst, each => each.currency)
  return (currency, dayEnd) => byCurrency.get(currency)?.find(({ since }) => since < dayEnd)
}
