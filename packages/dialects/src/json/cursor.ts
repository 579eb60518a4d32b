/** What `step` came to. */
export const bad = 0
export const tooDeep = 1
export const done = 2
export const open = 3
export const close = 4
export const text = 5
export const scalar = 6

/** Deeper than any real request, shallow enough for every parser behind us. */
export const depthMax = 128

/** Walks JSON byte by byte, exactly as strict as JSON.parse, and builds nothing. UTF-8 is checked elsewhere. */
export type Cursor = {
  bytes: Uint8Array
  /** The same bytes, for reading four at once; made when a long string comes, since it is dear and most are short. */
  view: DataView | undefined
  /** Where the next step begins, and where the text ends. */
  at: number
  end: number
  /** Open objects and arrays around the place. */
  depth: number
  /** Of each depth: what closes it. */
  closers: number[]
  after: 'start' | 'open' | 'value'
  /** The key of the value, quotes included; keyStart is -1 inside an array and at the top. */
  keyStart: number
  keyEnd: number
  /** Where the value, or its opening bracket, begins; `at` is where it ends. */
  start: number
}

export const cursorOf = (bytes: Uint8Array, start = 0, end = bytes.length): Cursor => ({
  bytes,
  view: undefined,
  at: start,
  end,
  depth: 0,
  // Room for the depth of most texts: a list that grows takes twice as much.
  closers: [0, 0, 0, 0, 0, 0, 0, 0],
  after: 'start',
  keyStart: -1,
  keyEnd: -1,
  start: -1,
})

/** The same cursor on another text. */
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
    // Both closers stand two places after their opening bracket.
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

/** `start` is behind the opening quote; the result is behind the closing one, or -1. */
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

/** What ends a run of plain text: a quote, a backslash, a control character. */
const specials = new Uint8Array(256).fill(1, 0x00, 0x20)
specials[quote] = 1
specials[backslash] = 1

/** Within so many bytes most strings end: to look at them one by one costs less than to prepare for more. */
const nearBytes = 64

/** Whether a string goes on behind this byte, and it stands for itself. */
export const isPlain = (byte: number): boolean => specials[byte] === 0

const plainEnd = (cursor: Cursor, start: number): number => {
  const { bytes, end } = cursor
  const near = Math.min(start + nearBytes, end)
  let at = start
  while (at < near && specials[bytes[at]!] === 0) at += 1
  return at < near || near === end ? at : farEnd(cursor, at)
}

/** Most of a prompt is plain text, and a long one must not hold up the others. */
const farEnd = (cursor: Cursor, start: number): number => {
  const { bytes, end } = cursor
  cursor.view ??= new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const { view } = cursor
  let at = start
  // Four words to one question.
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
 * The high bit of every byte that is a quote, a backslash or a control character; the lowest one set is exact. With its
 * second bit turned over a quote becomes a space and joins the control characters: both are then below 0x21.
 */
const specialsAt = (view: DataView, at: number): number => {
  const word = view.getInt32(at, true)
  const low = (word ^ 0x02020202) - 0x21212121
  const backslashes = (word ^ 0x5c5c5c5c) - 0x01010101
  return (low | backslashes) & ~word & 0x80808080
}

/** Where the text ends within the escape, so does the string: whoever asks sees that the result is behind its end. */
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

/** Compares the bytes of a string, quotes included, with a word in ASCII. */
export const isWord = (bytes: Uint8Array, start: number, end: number, word: string): boolean =>
  isWritten(bytes, start + 1, end - 1, word)

/** The same of what stands without quotes, such as `null`. */
export const isWritten = (bytes: Uint8Array, start: number, end: number, word: string): boolean => {
  if (end - start !== word.length) return false
  for (let index = 0; index < word.length; index += 1)
    if (bytes[start + index] !== word.charCodeAt(index)) return false
  return true
}
