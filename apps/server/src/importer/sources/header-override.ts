import { isJsonObject } from './json.ts'
import type { SourceRow } from './source-database.ts'
import { jsonOf } from './values.ts'

/**
 * The fixed headers that New API and done-hub send with the requests of a channel. A value in braces stands for the key or
 * for a header of the caller; `notes` gets those.
 */
export const headerOverride = (row: SourceRow, notes: string[]): Record<string, string> => {
  const override = jsonOf(row, 'header_override')
  const headers: Record<string, string> = {}
  for (const [name, value] of isJsonObject(override) ? Object.entries(override) : [])
    if (typeof value === 'string' && !value.includes('{')) headers[name] = value
    else notes.push(`the header \`${name}\` is not carried`)
  return headers
}
