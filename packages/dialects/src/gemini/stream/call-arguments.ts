import type { Json } from '../../json.ts'
import { isObject } from '../parts.ts'

/** Longer lists of arguments are none. */
const itemsMax = 10_000

/**
 * The arguments of a call that come piece by piece, each with the path of the value that it belongs to.
 * https://docs.cloud.google.com/vertex-ai/generative-ai/docs/multimodal/function-calling
 */
export const makeArguments = () => {
  const root: Json = {}

  const add = (piece: Json): void => {
    const path = pathOf(piece?.jsonPath)
    const last = path.at(-1)
    if (last === undefined) return
    let holder = root
    for (const [at, key] of path.slice(0, -1).entries()) {
      const next = path[at + 1]
      if (!Object.hasOwn(holder, key) || !canHold(holder[key], next))
        put(holder, key, typeof next === 'number' ? [] : {})
      holder = holder[key]
    }
    const value = valueIn(piece)
    const before = Object.hasOwn(holder, last) ? holder[last] : undefined
    // The pieces of a text follow one another; an empty one ends it.
    put(
      holder,
      last,
      typeof before === 'string' && typeof value === 'string' ? before + value : value,
    )
  }

  return { add, text: (): string => JSON.stringify(root) }
}

/** Also where the name is one that objects have a meaning for. */
const put = (holder: Json, key: string | number, value: Json): void => {
  Object.defineProperty(holder, key, {
    value,
    enumerable: true,
    configurable: true,
  })
}

/** A list has no names: its length is one of them, and is not to be told. */
const canHold = (value: Json, key: string | number | undefined): boolean =>
  isObject(value) || (Array.isArray(value) && typeof key === 'number')

const valueIn = (piece: Json): Json => {
  if (typeof piece.stringValue === 'string') return piece.stringValue
  if (typeof piece.numberValue === 'number') return piece.numberValue
  return typeof piece.boolValue === 'boolean' ? piece.boolValue : null
}

/** `$.recipe.steps[0]`, also with names in brackets and quotes. */
const pathOf = (path: unknown): (string | number)[] => {
  if (typeof path !== 'string') return []
  const steps = path.matchAll(/\.([^.[\]]+)|\[(\d+)\]|\[(?:"([^"]*)"|'([^']*)')\]/g)
  return [...steps].map(([, name, index, double, single]) =>
    index === undefined ? (name ?? double ?? single ?? '') : Math.min(Number(index), itemsMax),
  )
}
