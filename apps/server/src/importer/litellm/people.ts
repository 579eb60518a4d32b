import type { ImportedUser } from '../gateway-data.ts'
import type { SourceRow } from '../sources/source-database.ts'
import { decimalOf, integerOf, jsonOf, secondsOf, textOf } from '../sources/values.ts'
import { budgetOf, pointsOf, withReadableMoney } from './limits.ts'
import { mapOf } from './secrets.ts'
import type { Team } from './teams.ts'

/** The balance in USD of an account that had no budget. An account here is never without one. */
export const unlimitedUsd = 1_000_000

const roleNotes: Record<string, string> = {
  proxy_admin_viewer: 'was an administrator who may only read, and is a user here',
  org_admin: 'administered an organization, and is a user here',
  internal_user_viewer: 'could only look, and may make keys here',
}

type People = { rows: readonly SourceRow[]; teams: readonly Team[]; pointsPerUsd: number }

export const readUsers = (
  { rows, teams, pointsPerUsd }: People,
  requests: ReadonlyMap<string, number>,
): ImportedUser[] => {
  const names = new Set<string>()
  const users = rows.map(row => userOf(row, { teams, pointsPerUsd, requests, names }))
  if (!users.some(each => each.role === 100)) users.unshift(missingAdministrator(names))
  return users
}

type UserContext = Omit<People, 'rows'> & {
  requests: ReadonlyMap<string, number>
  names: Set<string>
}

const userOf = (given: SourceRow, context: UserContext): ImportedUser => {
  const { teams, pointsPerUsd, requests, names } = context
  const { row, notes: wrong } = withReadableMoney(given, pointsPerUsd)
  const id = textOf(row, 'user_id')
  const role = textOf(row, 'user_role')
  const alias = textOf(row, 'user_alias')
  const email = textOf(row, 'user_email')
  const username = ownName([alias, email, id], names)
  const own = teams.filter(each => isMember(each.row, id))
  const notes = ['has no password here: the old form cannot be checked', ...wrong]
  if (roleNotes[role] !== undefined) notes.push(roleNotes[role])
  if (own.length > 1)
    notes.push(`is in several teams, and in the group of “${own[0]!.group.name}” here`)
  const { balance, note } = balanceOf(row, pointsPerUsd)
  notes.push(...note)
  for (const column of ['tpm_limit', 'rpm_limit', 'max_parallel_requests'])
    if (textOf(row, column) !== '') notes.push(`\`${column}\` of a user is not carried`)
  if (textOf(row, 'sso_user_id') !== '') notes.push('the account of single sign-on is bound again')
  return {
    ...plainUser,
    ...{ id, username, email, notes, balance },
    displayName: alias || username,
    role: role === 'proxy_admin' ? 100 : 1,
    group: own[0]?.symbol ?? 'default',
    used: pointsOf(decimalOf(row, 'spend'), pointsPerUsd),
    requests: requests.get(id) ?? 0,
    createdAt: secondsOf(row, 'created_at'),
  }
}

const plainUser = {
  ...{ passwordHash: '', avatarUrl: '', isEnabled: true, inviteCode: '', inviterId: 0 },
  ...{ accessToken: '', lastSignInAt: 0, lastSignInIp: '', identities: [] },
  ...{ balance: 0, used: 0, requests: 0, createdAt: 0, group: 'default', email: '' },
}

/** LiteLLM's administrator may be whoever has its master key, and no user. */
const missingAdministrator = (names: Set<string>): ImportedUser => ({
  ...plainUser,
  ...{ id: 'administrator', username: ownName(['root'], names), displayName: 'Root User' },
  role: 100,
  notes: ['is new, since no user of the source is an administrator: set its password'],
})

/** The first name that nobody has; the last one with a number otherwise. */
const ownName = (candidates: readonly string[], names: Set<string>): string => {
  const given = candidates.filter(Boolean)
  let name = given.find(each => !names.has(each))
  for (let number = 2; name === undefined; number++)
    if (!names.has(`${given.at(-1)}-${number}`)) name = `${given.at(-1)}-${number}`
  names.add(name)
  return name
}

const isMember = (team: SourceRow, userId: string): boolean => {
  const members = jsonOf(team, 'members_with_roles')
  return Array.isArray(members) && members.some(each => mapOf(each).user_id === userId)
}

/** Returns the unspent rest of a budget. */
const balanceOf = (row: SourceRow, pointsPerUsd: number) => {
  const budget = budgetOf(row)
  if (budget === undefined)
    return {
      balance: pointsOf(unlimitedUsd, pointsPerUsd),
      note: [`had no budget: the balance is ${unlimitedUsd} USD here`],
    }
  const duration = textOf(row, 'budget_duration')
  return {
    balance: pointsOf(budget - decimalOf(row, 'spend'), pointsPerUsd),
    note: duration === '' ? [] : [`the budget was renewed every ${duration}, and is not here`],
  }
}

/** Pays for the keys of a team that belong to no user. Nobody signs in with it until it has a password. */
export const readTeamAccounts = (
  teams: readonly Team[],
  users: readonly ImportedUser[],
  pointsPerUsd: number,
): ImportedUser[] => {
  const names = new Set(users.map(each => each.username))
  return teams.map(({ id, symbol, row: given, group }) => {
    const { row, notes } = withReadableMoney(given, pointsPerUsd)
    const { balance, note } = balanceOf(row, pointsPerUsd)
    return {
      ...plainUser,
      id: teamAccountId(id),
      username: ownName([`team ${group.name}`], names),
      displayName: group.name,
      role: 1,
      ...{ group: symbol, balance },
      createdAt: secondsOf(row, 'created_at'),
      notes: ['is new: it pays for the keys of the team that belong to no user', ...note, ...notes],
    }
  })
}

export const teamAccountId = (teamId: string): string => `team:${teamId}`

/** Calls of each user by the daily sums. */
export const requestsOf = (days: readonly SourceRow[]): Map<string, number> => {
  const sums = new Map<string, number>()
  for (const row of days) {
    const id = textOf(row, 'user_id')
    sums.set(id, (sums.get(id) ?? 0) + integerOf(row, 'api_requests'))
  }
  return sums
}
