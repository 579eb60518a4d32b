import * as rows from '../../db/queries/groups.ts'
import { formatNumber } from '../../lib/decimal.ts'
import type { ImportedGroup } from '../gateway-data.ts'
import type { ImportContext } from './context.ts'

const noLimits = {
  requests_per_day: null,
  tokens_per_minute: null,
  concurrent_requests: null,
  quota_per_day: null,
  quota_per_month: null,
}

/** Groups with a symbol that exists, such as `default`, get the values of the source. Others are removed. */
export const writeGroups = async (
  context: ImportContext,
  imported: readonly ImportedGroup[],
): Promise<void> => {
  const { tx, report, groups } = context
  for (const group of imported) {
    const { symbol, ratio, limits, ...rest } = group
    if (symbol === '' || groups.has(symbol)) {
      report.skip('user_groups', { id: symbol, name: group.name }, 'its symbol is empty or taken')
      continue
    }
    const columns = {
      ...rest,
      ratio: formatNumber(ratio),
      public: Number(group.public),
      enable: Number(group.enable),
      promotion: Number(group.promotion),
      api_rate: Math.max(1, group.api_rate),
      ...(limits && { ...noLimits, ...limits }),
    }
    const existing = await rows.findBySymbol(tx, symbol)
    if (existing) await rows.update(tx, existing.id, columns)
    else await rows.insert(tx, { symbol, ...noLimits, ...columns })
    groups.set(symbol, group.public)
    report.carry('user_groups')
  }
  await removeSeeded(context)
}

/** Keys of a group that was deleted in the source were refused, and must not find a built-in group of its name here. */
const removeSeeded = async ({ tx, report, groups }: ImportContext): Promise<void> => {
  for (const { id, symbol } of await rows.listAll(tx)) {
    if (groups.has(symbol)) continue
    await rows.remove(tx, id)
    const change = 'does not exist in the source, and is removed here'
    report.change('user_groups', { id: symbol, name: symbol }, change)
  }
}
