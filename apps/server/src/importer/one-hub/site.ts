import { telegramParseModes } from '@hub/contract'
import type { GatewayData, ImportedGateway } from '../gateway-data.ts'
import { type ReadLog, readRows } from '../sources/checked-rows.ts'
import type { SourceDatabase, SourceRow } from '../sources/source-database.ts'
import { menuRules, paymentRules } from '../sources/table-rules.ts'
import { amountOf, flagOf, idOf, integerOf, jsonOf, textOf } from '../sources/values.ts'

export const readGateways = async (
  source: SourceDatabase,
  log: ReadLog,
): Promise<ImportedGateway[]> => (await readRows(source, paymentRules, log)).map(gatewayOf)

const gatewayOf = (row: SourceRow): ImportedGateway => ({
  ...{ table: 'payments', id: idOf(row, 'id'), uuid: textOf(row, 'uuid').trim() },
  fields: {
    ...{ type: textOf(row, 'type'), name: textOf(row, 'name'), icon: textOf(row, 'icon') },
    notify_domain: textOf(row, 'notify_domain').trim(),
    fixed_fee: feeOf(row, 'fixed_fee'),
    percent_fee: feeOf(row, 'percent_fee'),
    currency: textOf(row, 'currency'),
    sort: integerOf(row, 'sort'),
  },
  config: jsonOf(row, 'config'),
  isEnabled: flagOf(row, 'enable'),
  createdAt: integerOf(row, 'created_at'),
})

/** There an empty fee is none. */
const feeOf = (row: SourceRow, column: string): number =>
  textOf(row, column).trim() === '' ? 0 : amountOf(row, column)

export const readMenus = async (
  source: SourceDatabase,
  log: ReadLog,
): Promise<GatewayData['menus']> =>
  (await readRows(source, menuRules, log)).map(row => {
    const [mode, command] = [textOf(row, 'parse_mode'), textOf(row, 'command').trim()]
    return {
      ...{ id: idOf(row, 'id'), command },
      description: textOf(row, 'description') || command,
      // One Hub writes HTML in both ways.
      parse_mode:
        telegramParseModes.find(each => each.toLowerCase() === mode.toLowerCase()) ?? mode,
      reply_message: textOf(row, 'reply_message'),
    }
  })
