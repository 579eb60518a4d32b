import { parseKeys } from '../../features/channels/channel.ts'
import type { DisabledKey } from '../gateway-data.ts'
import { isJsonObject, type JsonMap } from '../sources/json.ts'
import type { SourceRow } from '../sources/source-database.ts'
import { jsonOf, textOf } from '../sources/values.ts'

export type ImportedKeys = {
  keys: string[]
  disabledKeys: DisabledKey[]
  key_rotation: 'random' | 'round_robin'
  /** Says why the source used none of the keys. */
  problem?: string | undefined
}

/** One key, one per line, or a JSON list. `channel_info` has the state of each by its place. */
export const channelKeysOf = (row: SourceRow, notes: string[]): ImportedKeys => {
  const info = jsonOf(row, 'channel_info')
  const list = jsonOf(row, 'key')
  const places = Array.isArray(list) ? list.map(textOfItem) : linesOf(textOf(row, 'key'))
  const keys = [...new Set(places.filter(Boolean))]
  if (!isJsonObject(info)) return { keys, disabledKeys: [], key_rotation: 'random' }
  if (info.is_multi_key !== true) {
    const problem =
      keys.length > 1 ? 'it has several keys without being a multi-key channel' : undefined
    return { keys, disabledKeys: [], key_rotation: 'random', problem }
  }
  const disabledKeys = disabledOf(info, places, notes)
  const problem =
    keys.length > 0 && disabledKeys.length === keys.length
      ? 'all of its keys are disabled'
      : undefined
  // The place at which the source would go on is not carried: each process begins with the first key.
  const isInTurn = info.multi_key_mode === 'polling'
  return { keys, disabledKeys, key_rotation: isInTurn ? 'round_robin' : 'random', problem }
}

const textOfItem = (item: unknown): string =>
  typeof item === 'string' ? item.trim() : JSON.stringify(item)

/** Empty lines between keys have a place, too. */
const linesOf = (text: string): string[] =>
  text.trimStart().startsWith('{')
    ? parseKeys(text)
    : text
        .replace(/^\n+|\n+$/g, '')
        .split('\n')
        .map(line => line.trim())

const mapOf = (value: unknown): JsonMap => (isJsonObject(value) ? value : {})

const disabledOf = (info: JsonMap, places: readonly string[], notes: string[]): DisabledKey[] => {
  const [reasons, times] = [
    mapOf(info.multi_key_disabled_reason),
    mapOf(info.multi_key_disabled_time),
  ]
  const found = new Map<string, DisabledKey>()
  for (const [place, status] of Object.entries(mapOf(info.multi_key_status_list))) {
    const key = places[Number(place)]
    if (key === undefined || key === '')
      notes.push(`there is no key at the place ${place} of its states`)
    if (!key || status === 1) continue
    if (status !== 2 && status !== 3)
      notes.push(
        `the state ${JSON.stringify(status).slice(0, 20)} of the key at the place ${place} has no meaning here: it is disabled`,
      )
    const at = Number(times[place])
    found.set(key, {
      key,
      status: status === 3 ? 3 : 2,
      reason:
        status === 3
          ? String(reasons[place] ?? '')
              .slice(0, 500)
              .replaceAll('\0', '')
          : '',
      at: Number.isSafeInteger(at) && at > 0 ? at : 0,
    })
  }
  return [...found.values()]
}
