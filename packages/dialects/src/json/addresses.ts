import type { Cursor } from './cursor.ts'

/** Keys of links in requests for images and tasks. All others end in `url` or `uri`. */
const words = ['image', 'mask', 'video', 'audio', 'file'].map(word => Buffer.from(word))

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

const isAddressKey = (bytes: Uint8Array, start: number, end: number): boolean => {
  const length = end - start
  if (length < 3) return false
  if (isUrlOrUri(bytes, end - 3)) return true
  for (const word of words) if (word.length === length && isAt(bytes, start, word)) return true
  // An escape has six letters.
  if (length < 8) return false
  for (let index = Math.max(start, end - escapedTail); index < end; index += 1)
    if (bytes[index] === 0x5c) return true
  return false
}

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
