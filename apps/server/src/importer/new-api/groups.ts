import type { GatewayData, ImportedGroup } from '../gateway-data.ts'
import { numbersOf } from '../sources/json.ts'

/** Neither program limits the requests of a group. */
const unlimited = 1_000_000

/** Groups stand in options; a group that only a user, key or channel names has the ratio 1. */
export const readGroups = (
  options: ReadonlyMap<string, string>,
  { users, tokens, channels }: Pick<GatewayData, 'users' | 'tokens' | 'channels'>,
): ImportedGroup[] => {
  const ratios = numbersOf(options.get('GroupRatio'))
  const usable = labelsOf(options.get('UserUsableGroups'))
  const named = [
    ...users.map(each => each.group),
    ...tokens.map(each => each.group),
    ...channels.flatMap(each => String(each.fields.group).split(',')),
  ]
  const symbols = new Set([...ratios.keys(), ...usable.keys(), ...named.map(each => each.trim())])
  return [...symbols].filter(Boolean).map(symbol => ({
    symbol,
    name: usable.get(symbol) ?? symbol,
    ratio: ratios.get(symbol) ?? 1,
    api_rate: unlimited,
    public: usable.has(symbol),
    enable: true,
    ...{ promotion: false, min: 0, max: 0 },
  }))
}

const labelsOf = (text: string | undefined): Map<string, string> => {
  try {
    const value = JSON.parse(text || '{}') as Record<string, unknown>
    return new Map(Object.entries(value).map(([symbol, label]) => [symbol, String(label)]))
  } catch {
    return new Map()
  }
}
