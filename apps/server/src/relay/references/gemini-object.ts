import type { ResourceKind } from '@hub/providers'
import type { StoredObject } from './object.ts'

/** The collection in the name of an object, which is its id: `files/abc`. */
export const namePrefixes: Readonly<Partial<Record<ResourceKind, string>>> = {
  'gemini-files': 'files/',
  'cached-contents': 'cachedContents/',
}

/** https://ai.google.dev/api/files#File, https://ai.google.dev/api/caching#CachedContent */
type GeminiFields = {
  name?: unknown
  sizeBytes?: unknown
  expirationTime?: unknown
  expireTime?: unknown
}

/** Reads an object with a usable name; undefined where the value is none. Sizes and times have the fields of the record. */
export const readGeminiObject = (kind: ResourceKind, value: unknown): StoredObject | undefined => {
  if (typeof value !== 'object' || value === null) return undefined
  const { name, sizeBytes, expirationTime, expireTime } = value as GeminiFields
  const prefix = namePrefixes[kind]
  if (prefix === undefined || typeof name !== 'string') return undefined
  if (!name.startsWith(prefix) || !/^[\w-]{1,100}$/.test(name.slice(prefix.length)))
    return undefined
  return {
    ...value,
    id: name,
    bytes: Number(sizeBytes ?? 0),
    expires_at: secondsOf(expirationTime ?? expireTime),
  }
}

/** Seconds of an RFC 3339 time. */
export const secondsOf = (time: unknown): number | undefined => {
  const milliseconds = typeof time === 'string' ? Date.parse(time) : Number.NaN
  return Number.isNaN(milliseconds) ? undefined : Math.floor(milliseconds / 1_000)
}

/** The storage of a prompt that is paid, as its record has it. */
export type PaidStorage = {
  tokens: number
  /** Seconds since 1970. */
  paidUntil: number
  /** The name by which its owner calls the model. */
  model: string
  billedModel: string
}

const isPaid = (storage: unknown): storage is PaidStorage => storage !== undefined

/** The address under which a request names a file: https://ai.google.dev/gemini-api/docs/files */
const fileAddressOf = (id: string): string =>
  `https://generativelanguage.googleapis.com/v1beta/${id}`

/** The object as its owner sees it. A file has the vendor's public address, whatever proxy the channel uses. */
export const presentGeminiObject = ({
  id,
  bytes: _bytes,
  expires_at: _expiresAt,
  storage,
  downloadUri: _downloadUri,
  ...fields
}: StoredObject): Record<string, unknown> => ({
  ...fields,
  ...('uri' in fields && { uri: fileAddressOf(id) }),
  ...(isPaid(storage) && { model: `models/${storage.model}` }),
})
