import type { GatewayData, Skipped } from '../gateway-data.ts'
import { countLeft, readRedemptions, readTokens } from '../sources/common-tables.ts'
import type { SourceDatabase, SourceRow } from '../sources/source-database.ts'
import { amountOf, flagOf, integerOf, jsonOf, textOf } from '../sources/values.ts'
import { readChannels } from './channels.ts'
import { oneHubHistory } from './history.ts'
import { readModelInfo } from './model-info.ts'
import { tokenSettingsOf } from './tokens.ts'
import { readUsers } from './users.ts'

/** One Hub and done-hub: only they have groups of users and owners of models in tables of these names. */
export const isOneHub = (tables: ReadonlySet<string>): boolean =>
  ['user_groups', 'prices', 'options', 'model_owned_by'].every(each => tables.has(each))

/** Tables that are not carried, and the reason that the report gives. */
const leftTables: Record<string, string> = {
  logs: 'The history of calls is carried with --history. Sums of users, keys and channels are carried in any case.',
  midjourneys: 'Finished tasks stay in the old database.',
  tasks: 'Finished tasks stay in the old database. Wait for running ones before moving.',
  payments: 'Set the gateways up again: their notices must reach the new address.',
  orders:
    'Balances contain paid orders. The list of them is carried with --history. Wait for pending ones before moving.',
  telegram_menus: 'Menus of the bot are entered again.',
  webauthn_credentials: 'Passkeys are registered again.',
  invite_codes: 'Codes of an invitation list are not carried.',
}

/** A group without a ratio costs what prices say, as a new group there, instead of nothing. */
const ratioOf = (row: SourceRow): number => {
  const ratio = amountOf(row, 'ratio')
  return Number.isFinite(ratio) ? ratio : 1
}

/** Reads the tables of One Hub v0.14 and done-hub. */
export const readOneHub = async (source: SourceDatabase): Promise<GatewayData> => {
  const skipped: Skipped[] = []
  const users = await readUsers(source, skipped)
  const known = new Set(users.map(each => each.id))
  return {
    program: 'One Hub',
    groups: (await source.rows('user_groups', 'id')).map(row => ({
      symbol: textOf(row, 'symbol'),
      name: textOf(row, 'name'),
      ratio: ratioOf(row),
      api_rate: integerOf(row, 'api_rate'),
      public: flagOf(row, 'public'),
      enable: flagOf(row, 'enable'),
      promotion: flagOf(row, 'promotion'),
      min: integerOf(row, 'min'),
      max: integerOf(row, 'max'),
    })),
    users,
    tokens: await readTokens(source, known, skipped, tokenSettingsOf),
    channels: await readChannels(source, skipped),
    prices: (await source.rows('prices', 'model')).map(row => ({
      model: textOf(row, 'model'),
      type: textOf(row, 'type') === 'times' ? ('times' as const) : ('tokens' as const),
      channel_type: integerOf(row, 'channel_type'),
      input: amountOf(row, 'input'),
      output: amountOf(row, 'output'),
      locked: flagOf(row, 'locked'),
      extra_ratios: jsonOf(row, 'extra_ratios') ?? null,
    })),
    redemptions: await readRedemptions(source, skipped),
    owners: (await source.rows('model_owned_by', 'id')).map(row => ({
      id: integerOf(row, 'id'),
      name: textOf(row, 'name'),
      icon: textOf(row, 'icon'),
    })),
    modelInfo: await readModelInfo(source),
    options: (await source.rows('options', 'key')).map(row => ({
      key: textOf(row, 'key'),
      value: textOf(row, 'value'),
    })),
    skipped,
    history: oneHubHistory,
    left: await countLeft(source, leftTables),
  }
}
