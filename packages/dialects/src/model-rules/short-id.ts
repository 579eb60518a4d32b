import { createHash } from 'node:crypto'

/** 128 bits, so that no two ids of one operator become the same. */
const hashLength = 32
/** A shorter beginning tells nothing. */
const prefixMin = 8

/** A stable stand-in for an id that a vendor refuses: the id's beginning if the limit allows it, and a hash of all of it. */
export const shortId = (id: string, max: number): string => {
  const hash = createHash('sha256').update(id).digest('hex').slice(0, hashLength)
  const prefixMax = max - hashLength - 1
  if (prefixMax < prefixMin) return hash.slice(0, max)
  // Some vendors accept letters, digits, underscores and dashes only.
  const readable = id.replace(/[^a-zA-Z0-9_-]+/g, '_').slice(0, prefixMax)
  return `${readable}-${hash}`
}
