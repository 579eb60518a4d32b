import { resourceKind } from './stored-resources.ts'

/** An object of a vendor's collection. */
export type StoredObject = Record<string, unknown> & { id: string }

/** An id of a vendor, or a name with its collection: `files/abc`. */
const idPattern = /^(?:(?:files|cachedContents)\/)?\w[\w.:-]{0,199}$/

export const isObjectId = (text: string): boolean => idPattern.test(text)

/** Reads an object of a kind with a usable id out of a vendor's answer; undefined where it is none. */
export const readObject = (kind: string, body: Buffer): StoredObject | undefined => {
  try {
    return decodeObject(kind, JSON.parse(body.toString()))
  } catch {
    return undefined
  }
}

export const decodeObject = (kind: string, value: unknown): StoredObject | undefined => {
  const { namePrefix } = resourceKind(kind)
  if (namePrefix !== undefined) return decodeNamed(namePrefix, value)
  return isObject(value) && isObjectId(value.id) ? value : undefined
}

const isObject = (value: unknown): value is StoredObject =>
  typeof value === 'object' && value !== null && 'id' in value && typeof value.id === 'string'

/** https://ai.google.dev/api/files#File, https://ai.google.dev/api/caching#CachedContent */
type NamedFields = {
  name?: unknown
  sizeBytes?: unknown
  expirationTime?: unknown
  expireTime?: unknown
}

/** Gives an object whose name is its id the fields of the others: `id`, `bytes` and `expires_at`. */
const decodeNamed = (prefix: string, value: unknown): StoredObject | undefined => {
  if (typeof value !== 'object' || value === null) return undefined
  const { name, sizeBytes, expirationTime, expireTime } = value as NamedFields
  if (typeof name !== 'string' || !name.startsWith(prefix)) return undefined
  if (!/^[\w-]{1,100}$/.test(name.slice(prefix.length))) return undefined
  return {
    ...value,
    id: name,
    bytes: Number(sizeBytes ?? 0),
    expires_at: secondsOfTime(expirationTime ?? expireTime),
  }
}

/** Seconds of an RFC 3339 time. */
export const secondsOfTime = (time: unknown): number | undefined => {
  const milliseconds = typeof time === 'string' ? Date.parse(time) : Number.NaN
  return Number.isNaN(milliseconds) ? undefined : Math.floor(milliseconds / 1_000)
}
