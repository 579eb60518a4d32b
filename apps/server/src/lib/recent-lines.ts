const linesMax = 500
const textMax = 2_000

export type RecentLine = { time: string; level: string; text: string }

/** The newest lines of the log in memory, for the console. Secrets that a message contains by mistake are replaced. */
export type RecentLines = {
  /** One JSON line of the logger. */
  add(line: string): void
  /** The oldest first. */
  list(count: number): RecentLine[]
}

export const makeRecentLines = (): RecentLines => {
  const lines: string[] = []
  let next = 0
  return {
    add: line => {
      lines[next] = line
      next = (next + 1) % linesMax
    },
    list: count => [...lines.slice(next), ...lines.slice(0, next)].slice(-count).flatMap(parse),
  }
}

type Logged = {
  time?: string
  level?: string
  msg?: string
  err?: { message?: string }
  [field: string]: unknown
}

/** Fields that are equal in every line, or shown apart. */
const hiddenFields = new Set(['time', 'level', 'msg', 'err', 'node', 'version'])

const parse = (line: string): RecentLine[] => {
  let logged: Logged
  try {
    logged = JSON.parse(line) as Logged
  } catch {
    return []
  }
  const { time = '', level = 'info', msg = '', err } = logged
  const fields = Object.entries(logged).filter(([name]) => !hiddenFields.has(name))
  const texts = [msg, err?.message, ...fields.map(([name, value]) => `${name}=${asText(value)}`)]
  const text = withoutSecrets(texts.filter(Boolean).join(' · '))
  return [{ time, level, text: text.slice(0, textMax) }]
}

const asText = (value: unknown) => (typeof value === 'string' ? value : JSON.stringify(value))

const secrets: [pattern: RegExp, replacement: string][] = [
  [/\b(sk|pk|rk|whsec|ghp|gho|xox[abp]|AKIA|AIza)[-_]?[A-Za-z0-9_-]{8,}/g, '$1***'],
  [/\b(bearer|basic)\s+[A-Za-z0-9._~+/=-]{8,}/gi, '$1 ***'],
  [
    /\b((?:api[-_]?)?key|token|secret|password|passwd|signature)(["']?\s*[=:]\s*["']?)[^\s"'&,;}]{4,}/gi,
    '$1$2***',
  ],
  // A code of a sign-in is random; a code of an error is words with a dot or underscores, or capitals such as ECONNRESET.
  [
    /\b(code)(["']?\s*[=:]\s*["']?)(?!(?:[a-z]+(?:[._][a-z]+)+|[A-Z]+(?:_[A-Z]+)*)(?:["'\s&,;}]|$))[^\s"'&,;}]{4,}/g,
    '$1$2***',
  ],
  [/(:\/\/)[^\s/@:]*:[^\s/@]+@/g, '$1***@'],
  [/\beyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]*/g, '***'],
]

const withoutSecrets = (text: string): string =>
  secrets.reduce((clean, [pattern, replacement]) => clean.replace(pattern, replacement), text)
