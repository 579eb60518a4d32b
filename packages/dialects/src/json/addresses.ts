import { type Cursor, isWritten } from './cursor.ts'

/** The last byte of a key of links, plain or as the end of an escape such as `\\u006c`. Most keys end in another. */
const lastBytes = new Uint8Array(256)
for (const byte of Buffer.from('lLiIcC9ekob5BfF')) lastBytes[byte] = 1

/** A key with an escape in its last three letters has the escape's backslash in these bytes. */
const escapedTail = 18

/**
 * Returns whether the string at the cursor may name something that a vendor reads: a link, or an object of an account.
 * It errs on the side of true, since whoever uses it looks again.
 */
export const isAddress = (cursor: Cursor): boolean => {
  const { bytes, keyStart, keyEnd, start, at } = cursor
  if (keyStart < 0) return hasScheme(bytes, start + 1, at - 1)
  return isAddressKey(bytes, keyStart + 1, keyEnd - 1) && !isData(bytes, start + 1)
}

/** Keys of links in requests for images and tasks are words. All others end in `url` or `uri`. */
const isAddressKey = (bytes: Uint8Array, start: number, end: number): boolean => {
  const length = end - start
  if (length < 3 || lastBytes[bytes[end - 1]!] === 0) return false
  if (isUrlOrUri(bytes, end - 3)) return true
  if (length === 4)
    return isWritten(bytes, start, end, 'mask') || isWritten(bytes, start, end, 'file')
  if (length === 5) return isMedia(bytes, start, end)
  // An escape has six letters.
  if (length < 8) return false
  for (let index = Math.max(start, end - escapedTail); index < end; index += 1)
    if (bytes[index] === 0x5c) return true
  return false
}

const isMedia = (bytes: Uint8Array, start: number, end: number): boolean =>
  isWritten(bytes, start, end, 'image') ||
  isWritten(bytes, start, end, 'video') ||
  isWritten(bytes, start, end, 'audio')

/** Sets the bit that distinguishes lower case. */
const lower = (byte: number): number => byte | 0x20

const isUrlOrUri = (bytes: Uint8Array, at: number): boolean => {
  const last = lower(bytes[at + 2]!)
  return (
    (last === 0x6c || last === 0x69) && lower(bytes[at + 1]!) === 0x72 && lower(bytes[at]!) === 0x75
  )
}

const isAt = (bytes: Uint8Array, start: number, word: Uint8Array): boolean => {
  for (let index = 0; index < word.length; index += 1)
    if (bytes[start + index] !== word[index]) return false
  return true
}

const data = Buffer.from('data:')

const isData = (bytes: Uint8Array, start: number): boolean => isAt(bytes, start, data)

/** Schemes of links are short. */
const schemeMax = 8

/** An item of a list begins with a scheme, other than that of content. */
const hasScheme = (bytes: Uint8Array, start: number, end: number): boolean => {
  const last = Math.min(end, start + schemeMax)
  for (let index = start; index < last; index += 1) {
    const byte = bytes[index]!
    if (byte === 0x5c) return true
    if (byte === 0x3a) return index > start && !isData(bytes, start)
    const isAlphabetic = lower(byte) >= 0x61 && lower(byte) <= 0x7a
    if (!isAlphabetic && !(byte >= 0x30 && byte <= 0x39)) return false
  }
  return false
}
