import { contract, type MarginAttribute, type MarginReport } from '@hub/contract'
import { marginReport } from '../../billing/margin/report.ts'
import { implement } from '../../core/implement.ts'
import { csvFile, csvOf } from '../../lib/csv.ts'

export const margin = implement(contract.margin, {
  report: (app, _caller, query) => marginReport(app, query),
  export: async (app, _caller, query) => {
    const report = await marginReport(app, query)
    return csvFile(`margin_${query.from}_${query.to}`, marginCsv(report, query.by))
  },
})

const nameColumns = {
  day: ['Date'],
  channel: ['Channel ID', 'Channel'],
  model: ['Model'],
  user: ['User ID', 'User'],
  group: ['Group'],
  key: ['User ID', 'User', 'Key'],
} as const satisfies Record<MarginAttribute, readonly string[]>

const marginCsv = ({ rows }: MarginReport, by: readonly MarginAttribute[]): string => {
  const names = [...new Set(by.flatMap(each => nameColumns[each]))]
  return csvOf(
    [
      ...[...names, 'Calls', 'Revenue (USD)', 'Cost (USD)', 'Margin (USD)', 'Margin (%)'],
      ...['Estimated Cost (USD)', 'Unknown Calls', 'Unknown Revenue (USD)', 'Attempts'],
      ...['Attempts Cost (USD)', 'Unknown Attempts', 'Not Converted'],
    ],
    rows.map(row => {
      const cells = {
        Date: row.day,
        ...{ 'Channel ID': row.channel_id, Channel: row.channel, Model: row.model },
        ...{ 'User ID': row.user_id, User: row.user, Group: row.group, Key: row.key },
      }
      const unconverted = row.unconverted.map(({ cost, currency }) => `${cost} ${currency}`)
      return [
        ...names.map(name => cells[name]),
        ...[row.calls, row.revenue, row.cost, row.margin],
        row.margin_percent ?? '',
        ...[row.estimated_cost, row.unknown_calls, row.unknown_revenue],
        ...[row.attempts, row.attempts_cost, row.unknown_attempts, unconverted.join('; ')],
      ]
    }),
  )
}
