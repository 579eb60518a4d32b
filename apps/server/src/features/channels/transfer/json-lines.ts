/** The line of each value, by its path, such as `channels.0.name`; or the line of the first error. */
export type JsonLines = { lines: ReadonlyMap<string, number> } | { errorLine: number }

const depthMax = 20
/** JSON allows the control characters from U+007F on. */
const token =
  /[{}[\],:]|"(?:[^"\\\p{Cc}]|[\x7f-\x9f]|\\["\\/bfnrt]|\\u[\dA-Fa-f]{4})*"|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null/uy
const space = /[ \t\r\n]*/y

/** Finds the lines of the values of a JSON text, which `JSON.parse` does not say. */
export const jsonLines = (text: string): JsonLines => {
  const reader = new Reader(text)
  const lines = new Map<string, number>()
  const isWhole = readValue(reader, lines, '', 0) && reader.next() === undefined && reader.isAtEnd()
  return isWhole ? { lines } : { errorLine: reader.line }
}

class Reader {
  line = 1
  private index = 0
  private readonly text: string

  constructor(text: string) {
    this.text = text
  }

  /** The next token, without moving. */
  peek(): string | undefined {
    const from = this.index
    space.lastIndex = from
    const blank = space.exec(this.text)![0]
    this.line += blank.split('\n').length - 1
    this.index = from + blank.length
    token.lastIndex = this.index
    return token.exec(this.text)?.[0]
  }

  next(): string | undefined {
    const found = this.peek()
    this.index += found?.length ?? 0
    return found
  }

  isAtEnd(): boolean {
    return this.index === this.text.length
  }
}

const readValue = (
  reader: Reader,
  lines: Map<string, number>,
  path: string,
  depth: number,
): boolean => {
  const first = reader.next()
  if (first === undefined || depth > depthMax) return false
  if (!lines.has(path)) lines.set(path, reader.line)
  if (first === '{') return readMembers(reader, lines, path, depth)
  if (first === '[') return readItems(reader, lines, path, depth)
  return !/^[}\],:]/.test(first)
}

const below = (path: string, name: string) => (path === '' ? name : `${path}.${name}`)

const readMembers = (
  reader: Reader,
  lines: Map<string, number>,
  path: string,
  depth: number,
): boolean => {
  if (reader.peek() === '}') return reader.next() === '}'
  for (;;) {
    const name = reader.next()
    if (!name?.startsWith('"')) return false
    const inner = below(path, JSON.parse(name))
    lines.set(inner, reader.line)
    if (reader.next() !== ':' || !readValue(reader, lines, inner, depth + 1)) return false
    const end = reader.next()
    if (end !== ',') return end === '}'
  }
}

const readItems = (
  reader: Reader,
  lines: Map<string, number>,
  path: string,
  depth: number,
): boolean => {
  if (reader.peek() === ']') return reader.next() === ']'
  for (let index = 0; ; index += 1) {
    if (!readValue(reader, lines, below(path, String(index)), depth + 1)) return false
    const end = reader.next()
    if (end !== ',') return end === ']'
  }
}
