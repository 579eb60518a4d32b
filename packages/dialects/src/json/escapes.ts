const escapedAscii = /\\(?:u00([2-7][0-9a-f])|\/)/gi

/**
 * Returns the body as Latin-1 text, with its escapes of ASCII characters decoded; undefined where it has none. Few encoders
 * write them, but vendors decode them, so that a caller could hide a name by one.
 */
export const decodeAsciiEscapes = (body: Buffer): string | undefined => {
  if (!body.includes('\\u00') && !body.includes('\\/')) return undefined
  const written = body.toString('latin1')
  const decoded = written.replace(escapedAscii, (_, code: string | undefined) =>
    code === undefined ? '/' : String.fromCharCode(Number.parseInt(code, 16)),
  )
  return decoded === written ? undefined : decoded
}

/** Returns whether the JSON text may contain the ASCII word, escaped or not. */
export const includesWord = (body: Buffer, word: string): boolean =>
  body.includes(word) || decodeAsciiEscapes(body)?.includes(word) === true

const anyEscape = /\\(?:u([0-9a-f]{4})|([nrtbf"\\/]))/gi
const controls: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t', b: '\b', f: '\f' }

/** Returns whether a JSON text contains the words, in any case and however they are escaped. Reads the whole text. */
export const includesWords = (body: Buffer, words: string): boolean =>
  body
    .toString()
    .replace(anyEscape, (_, code: string | undefined, short = '') =>
      code === undefined
        ? (controls[short] ?? short)
        : String.fromCharCode(Number.parseInt(code, 16)),
    )
    .toLowerCase()
    .includes(words.toLowerCase())
