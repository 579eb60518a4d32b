import { NewGroup } from '@hub/contract'
import type { GatewayData, ImportedGroup } from '../gateway-data.ts'
import type { ReadLog } from '../sources/checked-rows.ts'
import { isJsonObject, type JsonMap } from '../sources/json.ts'
import { noteOption, ratiosOf, readObject, readRatios, type StoredOptions } from './ratios.ts'

/** Neither program limits the requests of a group. */
const unlimited = 1_000_000

/** The rules of the source on groups. StoredOptions without a row have the defaults of its code. */
export type GroupRules = {
  ratios: Map<string, number>
  /** Groups whose ratio is no number, or out of bounds. */
  unreadable: Set<string>
  /** Labels of the groups that every user may choose for a key. */
  usable: Map<string, string>
  /** By group of the user: labels of groups that are usable, too, and with `-:` before their name of those that are not. */
  special: Map<string, Set<string>>
  /** By group of the user and group of the key: a ratio in place of that of the group. */
  crossRatios: Map<string, { numbers: Map<string, number>; unreadable: Set<string> }>
  /** The groups that a key of the group `auto` tries in turn. */
  auto: string[]
}

const defaultRatios = { default: 1, vip: 1, svip: 1 }
const defaultUsable = { default: 'default', vip: 'vip' }

export const readGroupRules = (
  options: StoredOptions,
  isFork: boolean,
  log: ReadLog,
): GroupRules => {
  const { numbers, unreadable } =
    readRatios(options, 'GroupRatio', log) ?? ratiosOf(defaultRatios, 'GroupRatio', log)
  for (const [symbol, ratio] of numbers) {
    if (NewGroup.shape.ratio.safeParse(ratio).success) continue
    numbers.delete(symbol)
    unreadable.add(symbol)
    noteOption(log, 'GroupRatio', `the ratio ${ratio} of “${symbol}” is out of bounds`)
  }
  const usable = readObject(options, 'UserUsableGroups', log) ?? (isFork ? defaultUsable : {})
  return {
    ...{ ratios: numbers, unreadable },
    usable: new Map(Object.entries(usable).map(([symbol, label]) => [symbol, String(label)])),
    special: specialOf(options, log),
    crossRatios: crossRatiosOf(options, log),
    auto: autoOf(options, log),
  }
}

const specialKey = 'group_ratio_setting.group_special_usable_group'

const specialOf = (options: StoredOptions, log: ReadLog): GroupRules['special'] =>
  new Map(
    objectsIn(options, specialKey, log).map(([group, list]) => [group, new Set(Object.keys(list))]),
  )

const crossRatiosOf = (options: StoredOptions, log: ReadLog): GroupRules['crossRatios'] => {
  const key = 'GroupGroupRatio'
  return new Map(
    objectsIn(options, key, log).map(([group, list]) => [group, ratiosOf(list, key, log)]),
  )
}

/** The objects in an option that has one for each group. */
const objectsIn = (options: StoredOptions, key: string, log: ReadLog): [string, JsonMap][] =>
  Object.entries(readObject(options, key, log) ?? {}).flatMap(
    ([group, list]): [string, JsonMap][] => {
      if (isJsonObject(list)) return [[group, list]]
      noteOption(log, key, `the value of “${group}” is not a JSON object, and is left out`)
      return []
    },
  )

const autoOf = (options: StoredOptions, log: ReadLog): string[] => {
  const text = options.get('AutoGroups')
  if (text === undefined) return ['default']
  try {
    const list: unknown = JSON.parse(text || '[]')
    if (Array.isArray(list)) return list.map(String)
  } catch {
    // The log names it below.
  }
  noteOption(log, 'AutoGroups', 'it is not a JSON list, and is left out')
  return []
}

/** Returns whether a user may choose the group for a key there. */
export const isUsable = ({ usable, special }: GroupRules, userGroup: string, symbol: string) => {
  const rules = special.get(userGroup)
  if (rules?.has(`-:${symbol}`)) return false
  return (
    symbol === userGroup ||
    usable.has(symbol) ||
    rules?.has(symbol) === true ||
    rules?.has(`+:${symbol}`) === true
  )
}

/**
 * Groups have their ratios in options. Users of a group without one are served at the ratio 1; a key that names such a
 * group is refused.
 */
export const readGroups = (
  { ratios, unreadable, usable }: GroupRules,
  users: GatewayData['users'],
  log: ReadLog,
): ImportedGroup[] => {
  const ofUsers = new Set(users.map(each => each.group).filter(Boolean))
  for (const symbol of ofUsers) {
    if (ratios.has(symbol) || unreadable.has(symbol)) continue
    const change = 'has no ratio in the source, which counts it as 1'
    log.changes.push({ table: 'user_groups', id: symbol, name: symbol, change })
  }
  for (const symbol of usable.keys()) {
    if (ratios.has(symbol) || unreadable.has(symbol) || ofUsers.has(symbol)) continue
    const reason = 'has no ratio in the source, where its keys were refused'
    log.skipped.push({ table: 'user_groups', id: symbol, name: symbol, reason })
  }
  return [...new Set([...ratios.keys(), ...unreadable, ...ofUsers])].map(symbol => {
    if (unreadable.has(symbol)) {
      const change = 'is disabled, because its ratio cannot be read'
      log.changes.push({ table: 'user_groups', id: symbol, name: symbol, change })
    }
    return {
      symbol,
      name: usable.get(symbol) ?? symbol,
      ratio: ratios.get(symbol) ?? 1,
      api_rate: unlimited,
      public: usable.has(symbol),
      enable: !unreadable.has(symbol),
      ...{ promotion: false, min: 0, max: 0 },
    }
  })
}
