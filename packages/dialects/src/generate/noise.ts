import type { Dice } from './dice.ts'
import { jsonOf } from './words.ts'

/** The same value with one place of it, at any depth, turned into something else. */
export const withNoise = (value: unknown, dice: Dice): unknown => {
  if (typeof value !== 'object' || value === null || dice.chance(6)) return jsonOf(dice)
  if (Array.isArray(value)) {
    if (value.length === 0) return [jsonOf(dice)]
    const at = dice.upTo(value.length - 1)
    return value.with(at, withNoise(value[at], dice))
  }
  const keys = Object.keys(value)
  if (keys.length === 0) return { [dice.pick(['type', 'x'])]: jsonOf(dice) }
  const key = dice.pick(keys)
  return { ...value, [key]: withNoise((value as Record<string, unknown>)[key], dice) }
}
