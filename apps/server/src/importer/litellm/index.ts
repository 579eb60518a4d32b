import type { GatewayData, Skipped } from '../gateway-data.ts'
import { countLeft } from '../sources/common-tables.ts'
import type { SourceDatabase, SourceRow } from '../sources/source-database.ts'
import { textOf } from '../sources/values.ts'
import { channelOf } from './channels.ts'
import { readDeployments } from './deployments.ts'
import { budgetOf } from './limits.ts'
import { readTeamAccounts, readUsers, requestsOf, teamAccountId } from './people.ts'
import { readPrices } from './prices.ts'
import { LiteLlmSecrets } from './secrets.ts'
import { defaultGroup, readTeams, type Team } from './teams.ts'
import { readTokens } from './tokens.ts'

export const isLiteLlm = (tables: ReadonlySet<string>): boolean =>
  tables.has('LiteLLM_VerificationToken') && tables.has('LiteLLM_UserTable')

/** Tables that are not carried, and the reason that the report gives. */
const leftTables: Record<string, string> = {
  LiteLLM_SpendLogs:
    'The history of calls stays in the old database. Sums of users and keys are carried.',
  LiteLLM_DailyUserSpend: 'The history of use stays in the old database.',
  LiteLLM_OrganizationTable:
    'There are no organizations here: their models limit their keys, their budgets are not carried.',
  LiteLLM_OrganizationMembership: 'There are no organizations here.',
  LiteLLM_ProjectTable: 'There are no projects here: their models limit their keys.',
  LiteLLM_TeamMembership: 'Budgets of a member in a team are not carried.',
  LiteLLM_EndUserTable: 'Customers of callers have no accounts and no budgets here.',
  LiteLLM_TagTable: 'Tags have no budgets here.',
  LiteLLM_ModelTable: 'Names of models that a team has of its own are not carried.',
  LiteLLM_GuardrailsTable: 'Guardrails are set up again.',
  LiteLLM_MCPServerTable: 'There are no MCP servers here.',
  LiteLLM_PromptTable: 'Stored prompts are not carried.',
  LiteLLM_SSOConfig: 'Single sign-on is set up again.',
}

type LiteLlmOptions = { saltKey: string | undefined; pointsPerUsd: number }

/** Reads the tables of LiteLLM 1.x. Older releases lack some of them. */
export const readLiteLlm = async (
  source: SourceDatabase,
  { saltKey, pointsPerUsd }: LiteLlmOptions,
): Promise<GatewayData> => {
  const tables = await source.tables()
  const rows = async (name: string, orderBy: string) =>
    tables.has(`LiteLLM_${name}`) ? source.rows(`LiteLLM_${name}`, orderBy) : []
  const byId = async (name: string, id: string) =>
    new Map((await rows(name, id)).map(row => [textOf(row, id), row]))
  const deployments = readDeployments(
    await rows('ProxyModelTable', 'model_id'),
    await rows('CredentialsTable', 'credential_name'),
    new LiteLlmSecrets(saltKey),
  )
  const teams = readTeams(await rows('TeamTable', 'team_id'))
  const userRows = await byId('UserTable', 'user_id')
  const people = { rows: [...userRows.values()], teams, pointsPerUsd }
  const users = readUsers(people, requestsOf(await rows('DailyUserSpend', 'id')))
  const keyRows = await rows('VerificationToken', 'token')
  const grace = await rows('DeprecatedVerificationToken', 'id')
  const tokens = readTokens(keyRows, grace, {
    teams: new Map(teams.map(each => [each.id, each])),
    users: userRows,
    organizations: await byId('OrganizationTable', 'organization_id'),
    projects: await byId('ProjectTable', 'project_id'),
    budgets: await byId('BudgetTable', 'budget_id'),
    administrator: users.find(each => each.role === 100)!.id,
    pointsPerUsd,
  })
  const owners = new Set(tokens.map(each => each.userId))
  const paying = teams.filter(each => owners.has(teamAccountId(each.id)))
  return {
    program: 'LiteLLM',
    groups: [defaultGroup(), ...teams.map(each => each.group)],
    users: [...users, ...readTeamAccounts(paying, users, pointsPerUsd)],
    tokens,
    channels: deployments.map(each => channelOf(each, deployments, teams)),
    prices: readPrices(deployments),
    redemptions: [],
    owners: [],
    modelInfo: [],
    gateways: [],
    menus: [],
    options: (await rows('Config', 'param_name')).map(row => ({
      key: textOf(row, 'param_name'),
      value: textOf(row, 'param_value'),
    })),
    skipped: graceWithoutKey(grace, keyRows),
    changes: [],
    history: [],
    left: [...(await countLeft(source, leftTables)), ...budgetsOfTeams(teams)],
  }
}

/** A team's budget pays for keys without a user; a user pays for the own keys. */
const budgetsOfTeams = (teams: readonly Team[]): GatewayData['left'] => {
  const rows = teams.filter(each => budgetOf(each.row) !== undefined).length
  const reason = 'Users pay for their keys of a team: its budget covers only keys without a user.'
  return rows === 0 ? [] : [{ table: 'LiteLLM_TeamTable', rows, reason }]
}

const graceWithoutKey = (grace: readonly SourceRow[], keys: readonly SourceRow[]): Skipped[] => {
  const known = new Set(keys.map(row => textOf(row, 'token')))
  return grace
    .filter(row => !known.has(textOf(row, 'active_token_id')))
    .map(row => ({
      ...{ table: 'tokens', id: textOf(row, 'id'), name: 'a key before its rotation' },
      reason: 'the key that replaced it is gone',
    }))
}
