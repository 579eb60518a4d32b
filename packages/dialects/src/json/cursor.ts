/** Results of `step`. */
export const bad = 0
export const tooDeep = 1
export const done = 2
export const open = 3
export const close = 4
export const text = 5
export const scalar = 6

/** Deeper than any real request, and within the limits of vendors' parsers. */
export const depthMax = 128

/** Walks JSON byte by byte, as strict as JSON.parse, without building values. The caller checks UTF-8. */
export type Cursor = {
  bytes: Uint8Array
  /** A view for reading four bytes at once. Created for the first long string, because most strings are short. */
  view: DataView | undefined
  /** The start of the next step, and the end of the JSON text. */
  at: number
  end: number
  /** The number of open objects and arrays. */
  depth: number
  /** The closing bracket of each depth. */
  closers: number[]
  after: 'start' | 'open' | 'value'
  /** The key of the value with quotes; keyStart is -1 in an array and at the top level. */
  keyStart: number
  keyEnd: number
  /** The start of the value or of its opening bracket; `at` is the end. */
  start: number
}

export const cursorOf = (bytes: Uint8Array, start = 0, end = bytes.length): Cursor => ({
  bytes,
  view: undefined,
  at: start,
  end,
  depth: 0,
  // Preallocated for the usual depth, because a growing list doubles its memory.
  closers: [0, 0, 0, 0, 0, 0, 0, 0],
  after: 'start',
  keyStart: -1,
  keyEnd: -1,
  start: -1,
})

/** Resets the cursor to another JSON text. */
export const rewind = (cursor: Cursor, bytes: Uint8Array, start: number, end: number): void => {
  if (cursor.bytes !== bytes) cursor.view = undefined
  cursor.bytes = bytes
  cursor.at = start
  cursor.end = end
  cursor.depth = 0
  cursor.after = 'start'
}

const quote = 0x22
const comma = 0x2c
const colon = 0x3a
const backslash = 0x5c
const objectOpen = 0x7b
const objectClose = 0x7d
const arrayOpen = 0x5b

export const step = (cursor: Cursor): number => {
  const { bytes, end } = cursor
  let at = skipSpace(bytes, cursor.at, end)
  if (cursor.after !== 'start') {
    if (cursor.depth === 0) return at === end ? done : bad
    if (at >= end) return bad
    const byte = bytes[at]!
    if (byte === cursor.closers[cursor.depth]) {
      cursor.depth -= 1
      cursor.at = at + 1
      cursor.after = 'value'
      return close
    }
    if (cursor.after === 'value') {
      if (byte !== comma) return bad
      at = skipSpace(bytes, at + 1, end)
    }
  }
  if (cursor.closers[cursor.depth] === objectClose) {
    at = readKey(cursor, at)
    if (at < 0) return bad
  } else cursor.keyStart = -1
  return at < end ? readValue(cursor, at) : bad
}

const readKey = (cursor: Cursor, at: number): number => {
  const { bytes, end } = cursor
  if (at >= end || bytes[at] !== quote) return -1
  const keyEnd = stringEnd(cursor, at + 1)
  if (keyEnd < 0) return -1
  cursor.keyStart = at
  cursor.keyEnd = keyEnd
  const separator = skipSpace(bytes, keyEnd, end)
  if (separator >= end || bytes[separator] !== colon) return -1
  return skipSpace(bytes, separator + 1, end)
}

const readValue = (cursor: Cursor, at: number): number => {
  const { bytes, end } = cursor
  const byte = bytes[at]!
  cursor.start = at
  if (byte === objectOpen || byte === arrayOpen) {
    if (cursor.depth === depthMax) return tooDeep
    cursor.depth += 1
    // In ASCII both closing brackets follow two code points after the opening one.
    cursor.closers[cursor.depth] = byte + 2
    cursor.at = at + 1
    cursor.after = 'open'
    return open
  }
  const valueEnd = byte === quote ? stringEnd(cursor, at + 1) : scalarEnd(bytes, at, end)
  if (valueEnd < 0) return bad
  cursor.at = valueEnd
  cursor.after = 'value'
  return byte === quote ? text : scalar
}

export const skipSpace = (bytes: Uint8Array, start: number, end: number): number => {
  let at = start
  while (at < end) {
    const byte = bytes[at]!
    if (byte !== 0x20 && byte !== 0x0a && byte !== 0x0d && byte !== 0x09) break
    at += 1
  }
  return at
}

/** `start` follows the opening quote. The result follows the closing quote, or is -1. */
const stringEnd = (cursor: Cursor, start: number): number => {
  const { bytes, end } = cursor
  let at = start
  while (at < end) {
    at = plainEnd(cursor, at)
    const byte = bytes[at]!
    if (at >= end || byte < 0x20) return -1
    if (byte === quote) return at + 1
    at = escapeEnd(bytes, at + 1)
    if (at < 0) return -1
  }
  return -1
}

/** Bytes that end a run of plain text: quote, backslash, control characters. */
const specials = new Uint8Array(256).fill(1, 0x00, 0x20)
specials[quote] = 1
specials[backslash] = 1

/** Most strings end within this many bytes. Reading single bytes is faster for them. */
const nearBytes = 64

/** Returns whether this byte continues a string and stands for itself. */
export const isPlain = (byte: number): boolean => specials[byte] === 0

const plainEnd = (cursor: Cursor, start: number): number => {
  const { bytes, end } = cursor
  const near = Math.min(start + nearBytes, end)
  let at = start
  while (at < near && specials[bytes[at]!] === 0) at += 1
  return at < near || near === end ? at : farEnd(cursor, at)
}

/** Most of a prompt is plain text. Skipping it fast keeps a long prompt from blocking other calls. */
const farEnd = (cursor: Cursor, start: number): number => {
  const { bytes, end } = cursor
  cursor.view ??= new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const { view } = cursor
  let at = start
  // Tests four words at once.
  while (at + 16 <= end && areAllPlain(view, at)) at += 16
  for (; at + 4 <= end; at += 4) {
    const hits = specialsAt(view, at)
    if (hits !== 0) return at + ((31 - Math.clz32(hits & -hits)) >> 3)
  }
  while (at < end && specials[bytes[at]!] === 0) at += 1
  return at
}

const areAllPlain = (view: DataView, at: number): boolean =>
  (specialsAt(view, at) |
    specialsAt(view, at + 4) |
    specialsAt(view, at + 8) |
    specialsAt(view, at + 12)) ===
  0

/**
 * Sets the high bit of each quote, backslash and control character; only the lowest set bit is exact. Flipping the
 * second bit turns a quote into a space, so that quotes and control characters are both below 0x21.
 */
const specialsAt = (view: DataView, at: number): number => {
  const word = view.getInt32(at, true)
  const low = (word ^ 0x02020202) - 0x21212121
  const backslashes = (word ^ 0x5c5c5c5c) - 0x01010101
  return (low | backslashes) & ~word & 0x80808080
}

/** For a text that ends within the escape, the result is past the end, which the caller detects. */
const escapeEnd = (bytes: Uint8Array, at: number): number => {
  switch (bytes[at]) {
    case quote:
    case backslash:
    case 0x2f: // solidus
    case 0x62: // b
    case 0x66: // f
    case 0x6e: // n
    case 0x72: // r
    case 0x74: // t
      return at + 1
    case 0x75: // u
      for (let digit = at + 1; digit < at + 5; digit += 1) if (!isHex(bytes[digit]!)) return -1
      return at + 5
    default:
      return -1
  }
}

const isHex = (byte: number): boolean =>
  isDigit(byte) || (byte >= 0x41 && byte <= 0x46) || (byte >= 0x61 && byte <= 0x66)

const isDigit = (byte: number): boolean => byte >= 0x30 && byte <= 0x39

const scalarEnd = (bytes: Uint8Array, at: number, end: number): number => {
  switch (bytes[at]) {
    case 0x74:
      return wordEnd(bytes, at, end, 'true')
    case 0x66:
      return wordEnd(bytes, at, end, 'false')
    case 0x6e:
      return wordEnd(bytes, at, end, 'null')
    default:
      return numberEnd(bytes, at, end)
  }
}

const wordEnd = (bytes: Uint8Array, at: number, end: number, word: string): number => {
  if (at + word.length > end) return -1
  for (let index = 1; index < word.length; index += 1)
    if (bytes[at + index] !== word.charCodeAt(index)) return -1
  return at + word.length
}

const numberEnd = (bytes: Uint8Array, start: number, end: number): number => {
  let at = bytes[start] === 0x2d ? start + 1 : start
  if (at >= end) return -1
  const whole = bytes[at] === 0x30 ? at + 1 : digitsEnd(bytes, at, end)
  if (whole === at) return -1
  at = whole
  if (at < end && bytes[at] === 0x2e) {
    const fraction = digitsEnd(bytes, at + 1, end)
    if (fraction === at + 1) return -1
    at = fraction
  }
  if (at < end && (bytes[at] === 0x65 || bytes[at] === 0x45)) {
    let digits = at + 1
    if (digits < end && (bytes[digits] === 0x2b || bytes[digits] === 0x2d)) digits += 1
    at = digitsEnd(bytes, digits, end)
    if (at === digits) return -1
  }
  return at
}

const digitsEnd = (bytes: Uint8Array, start: number, end: number): number => {
  let at = start
  while (at < end && isDigit(bytes[at]!)) at += 1
  return at
}

/** Compares the bytes of a string with quotes to an ASCII word. */
export const isWord = (bytes: Uint8Array, start: number, end: number, word: string): boolean =>
  isWritten(bytes, start + 1, end - 1, word)

/** Compares bytes without quotes, such as `null`, to an ASCII word. */
export const isWritten = (bytes: Uint8Array, start: number, end: number, word: string): boolean => {
  if (end - start !== word.length) return false
  for (let index = 0; index < word.length; index += 1)
    if (bytes[start + index] !== word.charCodeAt(index)) return false
  return true
}
