import type { GatewayData, ImportedRedemption, Skipped } from '../gateway-data.ts'
import type { SourceDatabase } from './source-database.ts'
import { integerOf, isDeleted, textOf } from './values.ts'

/** Codes that nobody used. All gateways of this family have the same table. */
export const readRedemptions = async (
  source: SourceDatabase,
  skipped: Skipped[],
): Promise<ImportedRedemption[]> => {
  const open: ImportedRedemption[] = []
  for (const row of await source.rows('redemptions', 'id')) {
    const [id, name, status] = [integerOf(row, 'id'), textOf(row, 'name'), integerOf(row, 'status')]
    if (isDeleted(row) || status === 3) {
      const reason = status === 3 ? 'used already' : 'deleted'
      skipped.push({ table: 'redemptions', id, name, reason })
      continue
    }
    open.push({
      ...{ id, name },
      userId: integerOf(row, 'user_id'),
      code: textOf(row, 'key').trim(),
      isEnabled: status === 1,
      quota: integerOf(row, 'quota'),
      createdAt: integerOf(row, 'created_time'),
      expiresAt: integerOf(row, 'expired_time') || -1,
    })
  }
  return open
}

/** The tables that hold data and are not carried, with the reason. */
export const countLeft = async (
  source: SourceDatabase,
  reasons: Readonly<Record<string, string>>,
): Promise<GatewayData['left']> => {
  const tables = await source.tables()
  const left: GatewayData['left'] = []
  for (const [table, reason] of Object.entries(reasons)) {
    const rows = tables.has(table) ? await source.count(table) : 0
    if (rows > 0) left.push({ table, rows, reason })
  }
  return left
}
