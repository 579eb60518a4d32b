import type { ImportedToken, ImportedUser, SourceId } from '../gateway-data.ts'
import type { ReadLog } from '../sources/checked-rows.ts'
import { type GroupRules, isUsable } from './groups.ts'

/** The pseudo-group of keys that try several groups in turn. */
const auto = 'auto'

type Context = { rules: GroupRules; groups: ReadonlySet<string>; log: ReadLog }

/** Gives keys of the group `auto` the first two of its groups, and disables keys that would be served only here. */
export const placeTokens = (
  tokens: readonly ImportedToken[],
  users: readonly ImportedUser[],
  context: Context,
): ImportedToken[] => {
  const groupOf = new Map<SourceId, string>(users.map(each => [each.id, each.group]))
  return tokens.map(token => placeToken(token, groupOf.get(token.userId) ?? '', context))
}

const placeToken = (token: ImportedToken, userGroup: string, context: Context): ImportedToken => {
  const { rules, groups, log } = context
  const note = (change: string) => {
    log.changes.push({ table: 'tokens', id: token.id, name: token.name, change })
  }
  const isChosen = token.group !== '' && token.group !== auto
  const placed =
    token.group === auto ? { ...token, ...autoGroups(userGroup, context, note) } : token
  const group = placed.group || userGroup
  const problem =
    isChosen && groups.has(group)
      ? (refusalOf(rules, userGroup, group) ?? cheapness(context, userGroup, group, note))
      : cheapness(context, userGroup, group, note)
  if (problem !== undefined) note(`it is disabled here: ${problem}`)
  return { ...placed, isEnabled: placed.isEnabled && problem === undefined }
}

const autoGroups = (
  userGroup: string,
  { rules, groups }: Context,
  note: (change: string) => void,
): { group: string; backupGroup: string } => {
  const usable = rules.auto.filter(each => isUsable(rules, userGroup, each) && groups.has(each))
  const [group = auto, backupGroup = '', ...others] = usable
  if (usable.length === 0) note('no group of its group “auto” can be used: calls are refused')
  else {
    const backup = backupGroup && `, and “${backupGroup}” as the backup`
    const left = others.length > 0 ? `; left out: ${others.join(', ')}` : ''
    note(`its group “auto” became “${group}”${backup}${left}`)
  }
  return { group, backupGroup }
}

/** Why the source refuses a key that chose this group. */
const refusalOf = (rules: GroupRules, userGroup: string, group: string): string | undefined => {
  if (!rules.ratios.has(group)) return `the group “${group}” has no ratio there`
  if (!isUsable(rules, userGroup, group))
    return `users of the group “${userGroup}” may not use the group “${group}” there`
  return undefined
}

/** Says why a key would be free here and was not there; any other difference of ratios is only named. */
const cheapness = (
  { rules }: Context,
  userGroup: string,
  group: string,
  note: (change: string) => void,
): string | undefined => {
  const cross = rules.crossRatios.get(userGroup)
  if (cross?.unreadable.has(group)) return 'its ratio in `GroupGroupRatio` cannot be read'
  const there = cross?.numbers.get(group)
  const here = rules.ratios.get(group) ?? 1
  if (there === undefined || there === here) return undefined
  note(`its ratio was ${there} by \`GroupGroupRatio\`, and is that of the group here: ${here}`)
  return here === 0 ? 'it would be free of charge' : undefined
}
