import type { ImportedKey, ImportedToken } from '../gateway-data.ts'
import type { SourceRow } from '../sources/source-database.ts'
import { decimalOf, flagOf, jsonOf, secondsOf, textOf, textsOf } from '../sources/values.ts'
import {
  budgetOf,
  periodOf,
  pointsOf,
  rateLimitsOf,
  withBudget,
  withReadableMoney,
} from './limits.ts'
import { teamAccountId } from './people.ts'
import { mapOf } from './secrets.ts'
import { modelsOf, type Team } from './teams.ts'

export type TokenContext = {
  teams: ReadonlyMap<string, Team>
  /** Rows with `models` by their ids. */
  users: ReadonlyMap<string, SourceRow>
  organizations: ReadonlyMap<string, SourceRow>
  projects: ReadonlyMap<string, SourceRow>
  budgets: ReadonlyMap<string, SourceRow>
  /** Owns the keys that belong to no user and no team. */
  administrator: string | number
  pointsPerUsd: number
}

/** LiteLLM stores SHA-256 of a key that begins with `sk-`, and any other key as it is. */
const keyOf = (stored: string, masked: string): ImportedKey =>
  /^[0-9a-f]{64}$/.test(stored) ? { sha256: stored, masked } : { plain: stored }

export const readTokens = (
  rows: readonly SourceRow[],
  grace: readonly SourceRow[],
  context: TokenContext,
): ImportedToken[] => {
  const tokens = rows.map(row => tokenOf(row, context))
  const byStored = new Map(rows.map((row, index) => [textOf(row, 'token'), tokens[index]!]))
  const old = grace.flatMap(row => {
    const active = byStored.get(textOf(row, 'active_token_id'))
    return active === undefined ? [] : [graceToken(row, active)]
  })
  return [...tokens, ...old]
}

/** An old key that goes on working after a rotation, until its time. */
const graceToken = (row: SourceRow, active: ImportedToken): ImportedToken => {
  const end = Math.max(1, secondsOf(row, 'revoke_at'))
  return {
    ...active,
    ...{ id: textOf(row, 'id'), name: `${active.name} (before rotation)`, used: 0 },
    key: keyOf(textOf(row, 'token'), 'sk-...'),
    expiresAt: active.expiresAt > 0 ? Math.min(active.expiresAt, end) : end,
    notes: ['is the key before a rotation: its limits are counted apart from the new one'],
  }
}

const tokenOf = (given: SourceRow, context: TokenContext): ImportedToken => {
  const budgeted = withBudget(given, context.budgets)
  const { row, notes: wrong } = withReadableMoney(budgeted, context.pointsPerUsd)
  const notes = [...notesOf(row), ...wrong]
  const { allowsNothing, ...rates } = rateLimitsOf(row)
  const models = allowedModels(row, context)
  if (allowsNothing) notes.push('a limit of 0 allowed no call: it is disabled')
  if (models === undefined) notes.push('its lists allow no model: it is disabled')
  const masked = textOf(row, 'key_name') || 'sk-...'
  const team = context.teams.get(textOf(row, 'team_id'))
  const { userId, note } = ownerOf(row, team, context)
  notes.push(...note)
  const { remaining, ...caps } = capOf(row, context, notes)
  return {
    ...{ id: textOf(row, 'key_alias') || masked, userId, notes, remaining },
    name: textOf(row, 'key_alias') || masked,
    key: keyOf(textOf(row, 'token'), masked),
    isEnabled: !flagOf(row, 'blocked') && !allowsNothing && models !== undefined,
    expiresAt: expiryOf(row, notes),
    used: pointsOf(
      Math.max(decimalOf(row, 'spend'), decimalOf(row, 'total_spend')),
      context.pointsPerUsd,
    ),
    group: team?.symbol ?? 'default',
    ...{ backupGroup: '', billingTag: '', addresses: [] },
    models: models ?? [],
    createdAt: secondsOf(row, 'created_at'),
    lastUsedAt: secondsOf(row, 'last_active'),
    limits: { ...rates, ...caps },
  }
}

/** A time that cannot be read has passed. PostgreSQL has years of more than four digits, and two infinite times. */
const expiryOf = (row: SourceRow, notes: string[]): number => {
  const text = textOf(row, 'expires')
  if (text === '' || text === 'infinity' || /^\d{5,}-[^B]*$/.test(text)) return -1
  const seconds = secondsOf(row, 'expires')
  if (seconds > 0) return seconds
  notes.push(`\`expires\` is ${text}: it has expired here`)
  return 1
}

const ownerOf = (row: SourceRow, team: Team | undefined, context: TokenContext) => {
  const userId = textOf(row, 'user_id')
  if (context.users.has(userId)) return { userId, note: [] }
  if (team)
    return { userId: teamAccountId(team.id), note: ['belongs to no user: its team pays for it'] }
  const note = ['belongs to no user and no team: the super administrator pays for it']
  return { userId: context.administrator, note }
}

/** Returns the unspent rest of a budget, or a limit per day or month if the budget is renewed. */
const capOf = (row: SourceRow, { pointsPerUsd }: TokenContext, notes: string[]) => {
  const budget = budgetOf(row)
  if (budget === undefined) return { remaining: null }
  const duration = textOf(row, 'budget_duration')
  const period = periodOf(duration)
  const points = pointsOf(budget, pointsPerUsd)
  if (period && points > 0) return { remaining: null, [period]: points }
  if (duration !== '')
    notes.push(`the budget was renewed every ${duration}: the rest of it is a cap here`)
  return { remaining: pointsOf(budget - decimalOf(row, 'spend'), pointsPerUsd) }
}

/** The models that every list allows. Empty: all; undefined: none. A list of a team is not here: its channels are. */
const allowedModels = (row: SourceRow, context: TokenContext): string[] | undefined => {
  const team = context.teams.get(textOf(row, 'team_id'))
  const limiting = [
    row,
    team ? undefined : context.users.get(textOf(row, 'user_id')),
    context.organizations.get(textOf(row, 'organization_id')),
    context.projects.get(textOf(row, 'project_id')),
  ]
  const lists = limiting
    .flatMap(each => (each ? [modelsOf(each)] : []))
    .filter(each => each.length > 0)
  if (lists.length === 0) return []
  const [first, ...others] = lists as [string[], ...string[][]]
  const common = first.filter(each => others.every(list => list.includes(each)))
  const models = common.filter(each => each !== 'no-default-models')
  return models.length > 0 ? models : undefined
}

const emptyRoutes = new Set(['llm_api_routes'])

/** The properties of a key that have no counterpart here. */
const notesOf = (row: SourceRow): string[] => {
  const maps = ['aliases', 'model_max_budget', 'budget_fallbacks', 'permissions', 'config']
  const used = maps.filter(each => Object.keys(mapOf(jsonOf(row, each))).length > 0)
  const routes = textsOf(row, 'allowed_routes').filter(each => !emptyRoutes.has(each))
  if (routes.length > 0) used.push('allowed_routes')
  if (textOf(row, 'budget_limits') !== '') used.push('budget_limits')
  return used.map(each => `\`${each}\` is not carried`)
}
