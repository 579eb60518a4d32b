import { NewGroup } from '@hub/contract'
import type { GatewayData, ImportedGroup, ImportedPrice } from '../gateway-data.ts'
import { type ReadLog, readRows } from '../sources/checked-rows.ts'
import { countLeft, readRedemptions, readTokens } from '../sources/common-tables.ts'
import type { SourceDatabase, SourceRow } from '../sources/source-database.ts'
import { groupRules, optionRules, ownerRules, priceRules } from '../sources/table-rules.ts'
import { amountOf, flagOf, idOf, integerOf, jsonOf, textOf } from '../sources/values.ts'
import { readChannels } from './channels.ts'
import { oneHubHistory } from './history.ts'
import { readModelInfo } from './model-info.ts'
import { readGateways, readMenus } from './site.ts'
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
  orders:
    'Balances contain paid orders. The list of them is carried with --history. Wait for pending ones before moving.',
  webauthn_credentials: 'Passkeys are registered again.',
  invite_codes: 'Codes of an invitation list are not carried.',
}

/** Reads the tables of One Hub v0.14 and done-hub. */
export const readOneHub = async (source: SourceDatabase, now: number): Promise<GatewayData> => {
  const log: ReadLog = { skipped: [], changes: [] }
  const users = await readUsers(source, log)
  const known = new Set(users.map(each => each.id))
  return {
    program: 'One Hub',
    groups: (await readRows(source, groupRules, log)).map(row => groupOf(row, log)),
    users,
    tokens: await readTokens(source, {
      ...{ users: known, log, now, settingsOf: tokenSettingsOf },
    }),
    channels: await readChannels(source, log),
    prices: (await readRows(source, priceRules, log)).map(priceOf),
    redemptions: await readRedemptions(source, log),
    owners: (await readRows(source, ownerRules, log)).map(row => ({
      id: integerOf(row, 'id'),
      name: textOf(row, 'name'),
      icon: textOf(row, 'icon'),
    })),
    modelInfo: await readModelInfo(source, log),
    gateways: await readGateways(source, log),
    menus: await readMenus(source, log),
    options: (await readRows(source, optionRules, log)).map(row => ({
      key: textOf(row, 'key'),
      value: textOf(row, 'value'),
    })),
    ...log,
    history: oneHubHistory,
    left: await countLeft(source, leftTables),
  }
}

const groupOf = (row: SourceRow, log: ReadLog): ImportedGroup => {
  const symbol = textOf(row, 'symbol')
  const { ratio, problem } = readRatio(row)
  const change = `\`ratio\` ${problem}: it is 1 here${ratio === undefined ? ', and the group is disabled' : ''}`
  if (problem !== undefined)
    log.changes.push({ table: 'user_groups', id: idOf(row, 'id'), name: symbol, change })
  return {
    symbol,
    name: textOf(row, 'name'),
    ratio: ratio ?? 1,
    api_rate: integerOf(row, 'api_rate'),
    public: flagOf(row, 'public'),
    enable: flagOf(row, 'enable') && ratio !== undefined,
    promotion: flagOf(row, 'promotion'),
    min: integerOf(row, 'min'),
    max: integerOf(row, 'max'),
  }
}

/** A group without a ratio costs what prices say, as a new group there. With an impossible one it could be cheaper here. */
const readRatio = (row: SourceRow): { ratio?: number; problem?: string } => {
  const text = textOf(row, 'ratio').trim()
  if (text === '') return { ratio: 1, problem: 'is empty' }
  const read = NewGroup.shape.ratio.safeParse(Number(text))
  if (read.success) return { ratio: read.data }
  return { problem: `is ${JSON.stringify(text.slice(0, 40))}, not a ratio` }
}

const priceOf = (row: SourceRow): ImportedPrice => ({
  model: textOf(row, 'model'),
  type: textOf(row, 'type') === 'times' ? 'times' : 'tokens',
  channel_type: integerOf(row, 'channel_type'),
  input: amountOf(row, 'input'),
  output: amountOf(row, 'output'),
  locked: flagOf(row, 'locked'),
  extra_ratios: jsonOf(row, 'extra_ratios') ?? null,
})
