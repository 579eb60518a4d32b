type Span = { start: number; end: number }

/** The lines of one frame, as places in its bytes. `isOdd`: one of them is no field of a stream. */
type Fields = { data: Span[]; event: string; isOdd: boolean }

const names = new Set(['event', 'id', 'retry'])

export const fieldsOf = (bytes: Buffer, start: number, end: number): Fields => {
  const fields: Fields = { data: [], event: '', isOdd: false }
  let at = start
  while (at < end) {
    let lineEnd = at
    while (lineEnd < end && bytes[lineEnd] !== 0x0a && bytes[lineEnd] !== 0x0d) lineEnd += 1
    if (lineEnd > at) readLine(bytes, at, lineEnd, fields)
    at = lineEnd + 1
  }
  return fields
}

const readLine = (bytes: Buffer, start: number, end: number, fields: Fields): void => {
  if (bytes[start] === 0x3a) return
  let colon = start
  while (colon < end && colon < start + 8 && bytes[colon] !== 0x3a) colon += 1
  const name = bytes.toString('latin1', start, colon)
  const from = valueStart(bytes, colon, end)
  if (name === 'data') fields.data.push({ start: from, end })
  else if (name === 'event') fields.event = bytes.toString('utf8', from, end)
  else if (!names.has(name)) fields.isOdd = true
}

/** One space behind the colon belongs to it. A line without a colon is a name without a value. */
export const valueStart = (bytes: Buffer, colon: number, end: number): number => {
  const start = Math.min(colon + 1, end)
  return start < end && bytes[start] === 0x20 ? start + 1 : start
}

export const isDataLine = (bytes: Buffer, start: number, end: number): boolean =>
  end - start >= 5 &&
  bytes[start] === 0x64 &&
  bytes[start + 1] === 0x61 &&
  bytes[start + 2] === 0x74 &&
  bytes[start + 3] === 0x61 &&
  bytes[start + 4] === 0x3a

/** Without the line ends at the end of a unit. */
export const trimmedEnd = (bytes: Buffer, start: number, end: number): number => {
  let at = end
  while (at > start && (bytes[at - 1] === 0x0a || bytes[at - 1] === 0x0d)) at -= 1
  return at
}

/** A byte order mark: before the first line it says nothing, anywhere else it is part of a name. */
export const hasMark = (bytes: Buffer, at: number): boolean =>
  bytes[at] === 0xef && bytes[at + 1] === 0xbb && bytes[at + 2] === 0xbf

/** Where the data line begins in a frame of an event line and a data line; 0 where it is another one of two lines. */
export const dataBehindEvent = (bytes: Buffer, start: number, end: number): number => {
  if (!isWordAt(bytes, start, 'event:')) return 0
  const at = lineEnd(bytes, start)
  const data = at + (bytes[at] === 0x0d && bytes[at + 1] === 0x0a ? 2 : 1)
  return isDataLine(bytes, data, end) ? data : 0
}

/** What the event line at `start` names. */
export const eventAt = (bytes: Buffer, start: number): string => {
  const end = lineEnd(bytes, start)
  return bytes.toString('utf8', valueStart(bytes, start + 5, end), end)
}

/** The same of one word, without making a text of it. */
export const isErrorEvent = (bytes: Buffer, start: number): boolean => {
  const at = valueStart(bytes, start + 5, bytes.length)
  return isWordAt(bytes, at, 'error') && (bytes[at + 5] === 0x0a || bytes[at + 5] === 0x0d)
}

const lineEnd = (bytes: Buffer, start: number): number => {
  let at = start
  while (bytes[at] !== 0x0a && bytes[at] !== 0x0d) at += 1
  return at
}

const isWordAt = (bytes: Buffer, at: number, word: string): boolean => {
  for (let index = 0; index < word.length; index += 1)
    if (bytes[at + index] !== word.charCodeAt(index)) return false
  return true
}
