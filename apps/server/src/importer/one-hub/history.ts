import type { HistoryTable } from '../gateway-data.ts'
import { commonLogFields, flatJsonOf, orderRow } from '../sources/history.ts'
import type { SourceRow } from '../sources/source-database.ts'
import { decimalOf, integerOf, textOf } from '../sources/values.ts'

/** The metadata of One Hub has the names that this gateway uses. */
const readLog = (row: SourceRow) => {
  const common = commonLogFields(row)
  if (!common) return undefined
  return {
    ...common,
    milliseconds: integerOf(row, 'request_time'),
    ip: textOf(row, 'source_ip'),
    metadata: flatJsonOf(row, 'metadata'),
  }
}

const readOrder = (row: SourceRow) => {
  const [status, currency] = [textOf(row, 'status'), textOf(row, 'order_currency')]
  const [tradeNo, usd, pay] = [
    textOf(row, 'trade_no'),
    integerOf(row, 'amount'),
    decimalOf(row, 'order_amount'),
  ]
  return orderRow(
    row,
    {
      createdAt: integerOf(row, 'created_at'),
      quota: status === 'success' ? integerOf(row, 'quota') : 0,
      content: `Order ${tradeNo}: $${usd} for ${pay} ${currency}, ${status}`,
    },
    {
      ...{ trade_no: tradeNo, status, amount: usd, pay_amount: pay, currency },
      gateway_no: textOf(row, 'gateway_no'),
    },
  )
}

export const oneHubHistory: HistoryTable[] = [
  { table: 'logs', timeColumn: 'created_at', read: readLog },
  { table: 'orders', timeColumn: 'created_at', read: readOrder },
]
