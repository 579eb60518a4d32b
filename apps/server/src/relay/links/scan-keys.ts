const quote = 0x22
const backslash = 0x5c
const colon = 0x3a
const space = 0x20

/** The number of keys in all objects of a valid JSON text, and of those that are written with escapes. */
export const scanKeys = (body: Buffer): { count: number; escaped: number } => {
  let count = 0
  let escaped = 0
  for (let at = body.indexOf(quote); at !== -1; at = body.indexOf(quote, at)) {
    const start = at + 1
    at = endOfString(body, start)
    if (body[afterSpace(body, at)] !== colon) continue
    count += 1
    if (body.subarray(start, at).includes(backslash)) escaped += 1
  }
  return { count, escaped }
}

/** The index behind the closing quote. */
const endOfString = (body: Buffer, start: number): number => {
  for (let at = start; at < body.length; at += 1) {
    if (body[at] === backslash) at += 1
    else if (body[at] === quote) return at + 1
  }
  return body.length
}

const afterSpace = (body: Buffer, start: number): number => {
  let at = start
  while (at < body.length && body[at]! <= space) at += 1
  return at
}
