type LineRange = { start: number; end: number }

/** The fields of one frame. `data` are ranges of its bytes; `isMalformed` is set by a line with an unknown field. */
type SseFields = { data: LineRange[]; event: string; isMalformed: boolean }

const ignoredFields = new Set(['event', 'id', 'retry'])

export const fieldsOf = (bytes: Buffer, start: number, end: number): SseFields => {
  const fields: SseFields = { data: [], event: '', isMalformed: false }
  let at = start
  while (at < end) {
    let lineEnd = at
    while (lineEnd < end && bytes[lineEnd] !== 0x0a && bytes[lineEnd] !== 0x0d) lineEnd += 1
    if (lineEnd > at) readLine(bytes, at, lineEnd, fields)
    at = lineEnd + 1
  }
  return fields
}

const readLine = (bytes: Buffer, start: number, end: number, fields: SseFields): void => {
  if (bytes[start] === 0x3a) return
  let colon = start
  while (colon < end && colon < start + 8 && bytes[colon] !== 0x3a) colon += 1
  const name = bytes.toString('latin1', start, colon)
  const from = valueStart(bytes, colon, end)
  if (name === 'data') fields.data.push({ start: from, end })
  else if (name === 'event') fields.event = bytes.toString('utf8', from, end)
  else if (!ignoredFields.has(name)) fields.isMalformed = true
}

/** Skips the colon and one space after it. A line without a colon is a name without a value. */
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

/** The end of a line group without its line ends. */
export const trimmedEnd = (bytes: Buffer, start: number, end: number): number => {
  let at = end
  while (at > start && (bytes[at - 1] === 0x0a || bytes[at - 1] === 0x0d)) at -= 1
  return at
}

/** A byte order mark is ignored before the first line only; elsewhere it is part of a name. */
export const hasByteOrderMark = (bytes: Buffer, at: number): boolean =>
  bytes[at] === 0xef && bytes[at + 1] === 0xbb && bytes[at + 2] === 0xbf

/** The start of the data line in a frame of one event line and one data line; 0 for any other two lines. */
export const dataBehindEvent = (bytes: Buffer, start: number, end: number): number => {
  if (!isTextAt(bytes, start, 'event:')) return 0
  const at = lineEnd(bytes, start)
  const data = at + (bytes[at] === 0x0d && bytes[at + 1] === 0x0a ? 2 : 1)
  return isDataLine(bytes, data, end) ? data : 0
}

/** The name in the event line at `start`. */
export const eventAt = (bytes: Buffer, start: number): string => {
  const end = lineEnd(bytes, start)
  return bytes.toString('utf8', valueStart(bytes, start + 5, end), end)
}

/** Compares the name in the event line with `error` without making a string. */
export const isErrorEvent = (bytes: Buffer, start: number): boolean => {
  const at = valueStart(bytes, start + 5, bytes.length)
  return isTextAt(bytes, at, 'error') && (bytes[at + 5] === 0x0a || bytes[at + 5] === 0x0d)
}

const lineEnd = (bytes: Buffer, start: number): number => {
  let at = start
  while (bytes[at] !== 0x0a && bytes[at] !== 0x0d) at += 1
  return at
}

const isTextAt = (bytes: Buffer, at: number, word: string): boolean => {
  for (let index = 0; index < word.length; index += 1)
    if (bytes[at + index] !== word.charCodeAt(index)) return false
  return true
}
