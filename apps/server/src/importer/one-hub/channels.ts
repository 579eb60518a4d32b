import { parseKeys } from '../../features/channels/channel.ts'
import type { ImportedChannel } from '../gateway-data.ts'
import { type ReadLog, readRows } from '../sources/checked-rows.ts'
import type { SourceDatabase, SourceRow } from '../sources/source-database.ts'
import { channelRules } from '../sources/table-rules.ts'
import { flagOf, idOf, integerOf, jsonOf, textOf } from '../sources/values.ts'

/** Columns whose names and texts are those of the contract. */
const textColumns = [
  ...['name', 'base_url', 'other', 'models', 'group', 'tag', 'model_mapping'],
  ...['model_headers', 'custom_parameter', 'proxy', 'test_model'],
]
const flagColumns = ['only_chat', 'compatible_response', 'allow_extra_body']

/** The numbers of the channel types are One Hub's here too. */
export const readChannels = async (
  source: SourceDatabase,
  log: ReadLog,
): Promise<ImportedChannel[]> => (await readRows(source, channelRules, log)).map(channelOf)

const channelOf = (row: SourceRow): ImportedChannel => ({
  id: idOf(row, 'id'),
  fields: {
    ...Object.fromEntries(textColumns.map(name => [name, textOf(row, name).trim()])),
    ...Object.fromEntries(flagColumns.map(name => [name, flagOf(row, name)])),
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
