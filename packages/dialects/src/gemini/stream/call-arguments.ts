import type { Json } from '../../json/json.ts'
import { isObject } from '../parts.ts'

/** Caps array indexes, so that a huge index cannot exhaust memory. */
const itemsMax = 10_000

/**
 * Assembles streamed arguments of a call; each piece has a JSON path and a value.
 * https://docs.cloud.google.com/vertex-ai/generative-ai/docs/multimodal/function-calling
 */
export const argumentAssembler = () => {
  const root: Json = {}

  const add = (piece: Json): void => {
    const path = pathOf(piece?.jsonPath)
    const last = path.at(-1)
    if (last === undefined) return
    let holder = root
    for (const [at, key] of path.slice(0, -1).entries()) {
      const next = path[at + 1]
      if (!Object.hasOwn(holder, key) || !canContain(holder[key], next))
        setOwn(holder, key, typeof next === 'number' ? [] : {})
      holder = holder[key]
    }
    const value = valueIn(piece)
    const before = Object.hasOwn(holder, last) ? holder[last] : undefined
    // Consecutive strings at one path are joined.
    setOwn(
      holder,
      last,
      typeof before === 'string' && typeof value === 'string' ? before + value : value,
    )
  }

  return { add, text: (): string => JSON.stringify(root) }
}

/** Defines the property, so that `__proto__` becomes plain data. */
const setOwn = (holder: Json, key: string | number, value: Json): void => {
  Object.defineProperty(holder, key, {
    value,
    enumerable: true,
    configurable: true,
  })
}

/** Arrays accept only indexes, so that a path cannot set `length`. */
const canContain = (value: Json, key: string | number | undefined): boolean =>
  isObject(value) || (Array.isArray(value) && typeof key === 'number')

const valueIn = (piece: Json): Json => {
  if (typeof piece.stringValue === 'string') return piece.stringValue
  if (typeof piece.numberValue === 'number') return piece.numberValue
  return typeof piece.boolValue === 'boolean' ? piece.boolValue : null
}

/** Parses `$.recipe.steps[0]` and quoted names in brackets. */
const pathOf = (path: unknown): (string | number)[] => {
  if (typeof path !== 'string') return []
  const steps = path.matchAll(/\.([^.[\]]+)|\[(\d+)\]|\[(?:"([^"]*)"|'([^']*)')\]/g)
  return [...steps].map(([, name, index, double, single]) =>
    index === undefined ? (name ?? double ?? single ?? '') : Math.min(Number(index), itemsMax),
  )
}
