import { parseKeys } from '../../features/channels/channel.ts'
import type { ImportedChannel } from '../gateway-data.ts'
import { type ReadLog, readRows } from '../sources/checked-rows.ts'
import { headerOverride } from '../sources/header-override.ts'
import { isJsonObject } from '../sources/json.ts'
import type { SourceDatabase, SourceRow } from '../sources/source-database.ts'
import { channelRules } from '../sources/table-rules.ts'
import { flagOf, idOf, integerOf, jsonOf, textOf } from '../sources/values.ts'

/** Columns whose names and texts are those of the contract. */
const textColumns = [
  ...['name', 'base_url', 'other', 'models', 'group', 'tag', 'model_mapping'],
  ...['custom_parameter', 'proxy', 'test_model'],
]
const flagColumns = ['only_chat', 'compatible_response', 'allow_extra_body']

/** The numbers of the channel types are One Hub's here too. */
export const readChannels = async (
  source: SourceDatabase,
  log: ReadLog,
): Promise<ImportedChannel[]> => (await readRows(source, channelRules, log)).map(channelOf)

const channelOf = (row: SourceRow): ImportedChannel => {
  const notes: string[] = []
  const model_headers = headersOf(row, notes)
  // Columns of done-hub that have no counterpart.
  if (flagOf(row, 'pass_through_body')) notes.push('`pass_through_body` is not carried')
  const costRatio = Number(textOf(row, 'cost_ratio') || 1)
  if (costRatio !== 1 && costRatio !== 0) notes.push('`cost_ratio` is not carried')
  return { ...commonOf(row, model_headers), notes }
}

/** One Hub's headers of a channel, and those that done-hub has besides. */
const headersOf = (row: SourceRow, notes: string[]): string => {
  const own = textOf(row, 'model_headers').trim()
  const added = headerOverride(row, notes)
  if (Object.keys(added).length === 0) return own
  const headers = jsonOf(row, 'model_headers')
  return JSON.stringify({ ...(isJsonObject(headers) ? headers : {}), ...added })
}

const commonOf = (row: SourceRow, model_headers: string): ImportedChannel => ({
  id: idOf(row, 'id'),
  fields: {
    ...Object.fromEntries(textColumns.map(name => [name, textOf(row, name).trim()])),
    ...Object.fromEntries(flagColumns.map(name => [name, flagOf(row, name)])),
    model_headers,
    type: integerOf(row, 'type'),
    name: textOf(row, 'name'),
    // One Hub treats 0 as 1.
    weight: Math.max(1, integerOf(row, 'weight')),
    priority: integerOf(row, 'priority'),
    pre_cost: integerOf(row, 'pre_cost') || 1,
    disabled_stream: jsonOf(row, 'disabled_stream') ?? [],
    plugin: jsonOf(row, 'plugin') ?? {},
  },
  keys: parseKeys(textOf(row, 'key')),
  isEnabled: integerOf(row, 'status') === 1,
  used: integerOf(row, 'used_quota'),
  createdAt: integerOf(row, 'created_time'),
})
