import { type Cursor, isWord } from './cursor.ts'

/** Letters, digits, underscores and dashes. */
const plain = new Uint8Array(256)
for (const byte of Buffer.from('abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-'))
  plain[byte] = 1

/** Every vendor accepts names and ids of tools up to these lengths. */
const nameMax = 64
const idMax = 40

/** Returns whether the string at the cursor is a tool's name or a call's id that some vendor may refuse. */
export const isUnusualToolText = (cursor: Cursor): boolean => {
  const { bytes, start, at } = cursor
  const max = lengthMaxOf(cursor)
  if (max === 0) return false
  const length = at - start - 2
  if (length < 1 || length > max) return true
  for (let index = start + 1; index < at - 1; index += 1)
    if (plain[bytes[index]!] === 0) return true
  // A digit or a dash: Gemini refuses a name that begins with one.
  return max === nameMax && bytes[start + 1]! <= 0x39
}

/** Recognises the keys by their lengths, quotes included, before it compares any byte. */
const lengthMaxOf = ({ bytes, keyStart, keyEnd }: Cursor): number => {
  if (keyStart < 0) return 0
  switch (keyEnd - keyStart) {
    case 6:
      return isWord(bytes, keyStart, keyEnd, 'name') ? nameMax : 0
    case 9:
      return isWord(bytes, keyStart, keyEnd, 'call_id') ? idMax : 0
    case 13:
      return isWord(bytes, keyStart, keyEnd, 'tool_use_id') ? idMax : 0
    case 14:
      return isWord(bytes, keyStart, keyEnd, 'tool_call_id') ? idMax : 0
    default:
      return 0
  }
}
