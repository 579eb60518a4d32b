import type { ImportedGroup } from '../gateway-data.ts'
import type { SourceRow } from '../sources/source-database.ts'
import { flagOf, textOf, textsOf } from '../sources/values.ts'
import { rateLimitsOf } from './limits.ts'

/** A group without a limit of its own. */
const unlimited = 1_000_000

/** A team becomes a group: its models are those of the channels that serve the group. */
export type Team = {
  id: string
  symbol: string
  /** Empty: all. */
  models: string[]
  row: SourceRow
  group: ImportedGroup
}

/** Everybody whose team is none. */
export const defaultGroup = (): ImportedGroup => ({
  ...{ symbol: 'default', name: 'Default', ratio: 1, api_rate: unlimited },
  ...{ public: true, enable: true, promotion: false, min: 0, max: 0 },
})

export const readTeams = (rows: readonly SourceRow[]): Team[] => {
  const taken = new Set(['default'])
  return rows.map(row => {
    const id = textOf(row, 'team_id')
    const name = textOf(row, 'team_alias') || id
    const symbol = symbolOf(name, id, taken)
    const { api_rate, tokens_per_minute, concurrent_requests, allowsNothing } = rateLimitsOf(row)
    const group: ImportedGroup = {
      ...{ symbol, name: name.slice(0, 50), ratio: 1, api_rate: api_rate ?? unlimited },
      public: false,
      enable: !flagOf(row, 'blocked') && !allowsNothing,
      ...{ promotion: false, min: 0, max: 0 },
      limits: { tokens_per_minute, concurrent_requests },
    }
    return { ...{ id, symbol, row, group }, models: modelsOf(row) }
  })
}

/** A list of a team, user or key. The special names stand for no limit here: channels have groups. */
export const modelsOf = (row: SourceRow): string[] => {
  const models = textsOf(row, 'models')
  return models.includes('all-proxy-models') || models.includes('all-team-models') ? [] : models
}

/** Letters, digits, `_` and `-` only; the id where nothing is left of the name. */
const symbolOf = (name: string, id: string, taken: Set<string>): string => {
  const plain = name
    .trim()
    .replace(/[^A-Za-z0-9_-]+/g, '-')
    .replace(/^[-_]+|-+$/g, '')
    .slice(0, 40)
  const symbol = plain === '' || taken.has(plain) ? `team-${id}`.slice(0, 50) : plain
  taken.add(symbol)
  return symbol
}
