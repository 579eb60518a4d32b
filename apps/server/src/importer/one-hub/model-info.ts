import type { ImportedModelInfo } from '../gateway-data.ts'
import { type ReadLog, readRows } from '../sources/checked-rows.ts'
import type { SourceDatabase, SourceRow } from '../sources/source-database.ts'
import { modelInfoRules } from '../sources/table-rules.ts'
import { integerOf, textOf } from '../sources/values.ts'

const listColumns = ['input_modalities', 'output_modalities', 'tags', 'support_url']

/** Earlier releases of One Hub have no such table. */
export const readModelInfo = async (
  source: SourceDatabase,
  log: ReadLog,
): Promise<ImportedModelInfo[]> => (await readRows(source, modelInfoRules, log)).map(infoOf)

const infoOf = (row: SourceRow): ImportedModelInfo => {
  const model = textOf(row, 'model').trim()
  return {
    ...{ id: integerOf(row, 'id'), model },
    fields: {
      name: textOf(row, 'name').trim() || model,
      description: textOf(row, 'description'),
      context_length: integerOf(row, 'context_length'),
      max_tokens: integerOf(row, 'max_tokens'),
      ...Object.fromEntries(listColumns.map(column => [column, listTextOf(row, column)])),
    },
    createdAt: integerOf(row, 'created_at'),
    updatedAt: integerOf(row, 'updated_at'),
  }
}

/** One Hub reads a missing text and `null` as an empty list. */
const listTextOf = (row: SourceRow, column: string): string => {
  const text = textOf(row, column).trim()
  return text === '' || text === 'null' ? '[]' : text
}
