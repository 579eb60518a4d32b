import type { AuditedRows, ReadAuditedRows } from '../../core/implement.ts'
import type { Database } from '../../db/index.ts'
import * as states from '../../db/queries/channel-keys.ts'
import * as tags from '../../db/queries/channel-tags.ts'
import * as rows from '../../db/queries/channels.ts'
import * as prices from '../../db/queries/prices.ts'
import { shownDigits } from '../../relay/channels/keys.ts'
import { listCosts } from './costs/store.ts'

/**
 * The channels that a write names, by id or by tag, their key states, and the prices stored with them. Measured values are
 * left out.
 */
export const auditedChannels: ReadAuditedRows = async (app, _caller, { action, input, ids }) => {
  const found = [
    ...(ids.length > 0 ? await rows.listByIds(app.db, ids) : []),
    ...(action === 'channels.removeDisabled' ? await rows.listDisabled(app.db) : []),
  ]
  // A tag may be renamed, so its channels are read under both names.
  for (const tag of [input.tag_name, input.tag_name && input.tag])
    if (typeof tag === 'string' && tag !== '') found.push(...(await tags.listChannels(app.db, tag)))
  const audited = found.map(row => [row.id, settingsOf(row)] as const)
  const keys = /Keys?$/.test(action) ? await listKeyStates(app.db, ids) : {}
  const costs = action === 'channels.setCosts' ? await listCosts(app.db, ids) : {}
  return {
    ...Object.fromEntries(audited),
    ...keys,
    ...costs,
    ...(await storedPrices(app.db, input.prices)),
  }
}

const settingsOf = (row: rows.ChannelRow): object => {
  const { test_time, test_error, test_kind, response_time, used_quota, ...channel } =
    rows.asChannel(row)
  const { balance, balance_currency, balance_updated_time, ...settings } = channel
  return settings
}

const storedPrices = async (db: Database, named: unknown): Promise<AuditedRows> => {
  if (!Array.isArray(named)) return {}
  const models = new Set(named.map(each => (each as { model?: unknown } | null)?.model))
  const found = (await prices.listAll(db)).filter(({ model }) => models.has(model))
  return Object.fromEntries(found.map(row => [`price ${row.model}`, prices.asPrice(row)]))
}

const listKeyStates = async (db: Database, ids: readonly number[]): Promise<AuditedRows> => {
  const all = await Promise.all(ids.map(id => states.listKeys(db, id)))
  const named = all.flat().map(({ channel_id, key_hash, status, reason }) => {
    const name = `${channel_id} key ${key_hash.slice(0, shownDigits)}`
    return [name, { status, reason }] as const
  })
  return Object.fromEntries(named)
}
