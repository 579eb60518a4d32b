import type { GatewayData } from '../gateway-data.ts'
import { type ReadLog, readRows } from '../sources/checked-rows.ts'
import { countLeft, readRedemptions, readTokens } from '../sources/common-tables.ts'
import type { SourceDatabase } from '../sources/source-database.ts'
import { optionRules } from '../sources/table-rules.ts'
import { textOf } from '../sources/values.ts'
import { newApiTypes, oneApiTypes } from './channel-types.ts'
import { readChannels } from './channels.ts'
import { readGroupRules, readGroups } from './groups.ts'
import { newApiHistory, oneApiHistory } from './history.ts'
import { gatewayOptions, readGateways } from './payment-gateways.ts'
import { readUsers, tokenSettingsOf } from './people.ts'
import { readNewApiPrices, readOneApiPrices } from './prices.ts'
import { placeTokens } from './tokens.ts'

/** One API and its fork New API keep the channels of a model in this table. */
export const isNewApi = (tables: ReadonlySet<string>): boolean =>
  tables.has('abilities') && tables.has('options')

/** Tables that are not carried, and the reason that the report gives. */
const leftTables: Record<string, string> = {
  logs: 'The history of calls is carried with --history. Sums of users, keys and channels are carried in any case.',
  midjourneys: 'Finished tasks stay in the old database.',
  tasks: 'Finished tasks stay in the old database. Wait for running ones before moving.',
  top_ups:
    'Balances contain paid orders. The list of them is carried with --history. Wait for pending ones before moving.',
  quota_data: 'The history of use stays in the old database.',
  two_fas: 'Second factors are set up again.',
  passkey_credentials: 'Passkeys are registered again.',
  subscription_plans: 'There are no subscriptions here.',
  user_subscriptions: 'There are no subscriptions here.',
}

/** StoredOptions with other names here. */
const renamed: Record<string, string> = {
  SensitiveWords: 'SafeKeyWords',
  AutomaticDisableKeywords: 'DisableChannelKeywords',
  // Yuan for one dollar, and the least top-up in dollars.
  Price: 'PaymentUSDRate',
  MinTopUp: 'PaymentMinAmount',
}

/** StoredOptions that become groups, keys and prices. */
const read = [
  ...['GroupRatio', 'UserUsableGroups', 'GroupGroupRatio', 'AutoGroups'],
  ...['group_ratio_setting.group_special_usable_group'],
  ...['ModelRatio', 'ModelPrice', 'CompletionRatio', 'CacheRatio', 'CreateCacheRatio'],
  ...['ImageRatio', 'AudioRatio', 'AudioCompletionRatio'],
]

/** Reads the tables of One API v0.6 and of New API. `pricing` is New API's answer at `/api/pricing`. */
export const readNewApi = async (
  source: SourceDatabase,
  pricing: unknown,
  now: number,
): Promise<GatewayData> => {
  const tables = await source.tables()
  const isFork = tables.has('setups') || tables.has('top_ups')
  const log: ReadLog = { skipped: [], changes: [] }
  const options = (await readRows(source, optionRules, log)).map(row => ({
    key: renamed[textOf(row, 'key')] ?? textOf(row, 'key'),
    value: textOf(row, 'value'),
  }))
  const byKey = new Map(options.map(({ key, value }) => [key, value]))
  const users = await readUsers(source, log)
  const rules = readGroupRules(byKey, isFork, log)
  const groups = readGroups(rules, users, log)
  const tokens = await readTokens(source, {
    ...{ users: new Set(users.map(each => each.id)), log, now, settingsOf: tokenSettingsOf },
  })
  const channels = await readChannels(source, isFork ? newApiTypes : oneApiTypes, log)
  const models = new Set(
    channels.flatMap(({ fields }) => String(fields.models).split(',')).map(each => each.trim()),
  )
  const gateways = isFork ? readGateways(byKey) : []
  const carried = new Set([...read, ...(gateways.length > 0 ? gatewayOptions : [])])
  const symbols = new Set(groups.map(each => each.symbol))
  return {
    program: isFork ? 'New API' : 'One API',
    ...{ groups, users, channels },
    tokens: isFork ? placeTokens(tokens, users, { rules, groups: symbols, log }) : tokens,
    options: options.filter(each => !carried.has(each.key)),
    prices: isFork
      ? readNewApiPrices(byKey, pricing, { log, models })
      : readOneApiPrices(byKey, log),
    redemptions: await readRedemptions(source, log),
    owners: [],
    modelInfo: [],
    gateways,
    menus: [],
    ...log,
    history: isFork ? newApiHistory : oneApiHistory,
    left: await countLeft(source, leftTables),
  }
}
