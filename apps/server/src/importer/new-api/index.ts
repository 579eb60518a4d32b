import type { GatewayData, Skipped } from '../gateway-data.ts'
import { countLeft, readRedemptions, readTokens } from '../sources/common-tables.ts'
import type { SourceDatabase } from '../sources/source-database.ts'
import { textOf } from '../sources/values.ts'
import { newApiTypes, oneApiTypes } from './channel-types.ts'
import { readChannels } from './channels.ts'
import { readGroups } from './groups.ts'
import { newApiHistory, oneApiHistory } from './history.ts'
import { readUsers, tokenSettingsOf } from './people.ts'
import { readNewApiPrices, readOneApiPrices } from './prices.ts'

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

/** Options with other names here. */
const renamed: Record<string, string> = {
  SensitiveWords: 'SafeKeyWords',
  AutomaticDisableKeywords: 'DisableChannelKeywords',
}

/** Options that become groups and prices. */
const read = [
  'GroupRatio',
  'UserUsableGroups',
  'ModelRatio',
  'ModelPrice',
  'CompletionRatio',
  'CacheRatio',
  'CreateCacheRatio',
]

/** Reads the tables of One API v0.6 and of New API. `pricing` is New API's answer at `/api/pricing`. */
export const readNewApi = async (
  source: SourceDatabase,
  pricing: unknown,
): Promise<GatewayData> => {
  const tables = await source.tables()
  const isFork = tables.has('setups') || tables.has('top_ups')
  const options = (await source.rows('options', 'key')).map(row => ({
    key: renamed[textOf(row, 'key')] ?? textOf(row, 'key'),
    value: textOf(row, 'value'),
  }))
  const byKey = new Map(options.map(({ key, value }) => [key, value]))
  const skipped: Skipped[] = []
  const users = await readUsers(source, skipped)
  const tokens = await readTokens(
    source,
    new Set(users.map(each => each.id)),
    skipped,
    tokenSettingsOf,
  )
  const channels = await readChannels(source, isFork ? newApiTypes : oneApiTypes)
  return {
    program: isFork ? 'New API' : 'One API',
    groups: readGroups(byKey, { users, tokens, channels }),
    ...{ users, tokens, channels, skipped },
    options: options.filter(each => !read.includes(each.key)),
    prices: isFork ? readNewApiPrices(byKey, pricing) : readOneApiPrices(byKey),
    redemptions: await readRedemptions(source, skipped),
    owners: [],
    modelInfo: [],
    history: isFork ? newApiHistory : oneApiHistory,
    left: await countLeft(source, leftTables),
  }
}
