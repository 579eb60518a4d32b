import type {
  Conformance,
  ConformanceCaller,
  ConformanceCell,
  ConformanceFeature,
} from '@hub/contract'

export const states = ['ok', 'otherwise', 'note', 'refused'] as const
export type State = (typeof states)[number]

const names: Record<string, string> = {
  'openai-chat': 'OpenAI Chat',
  'openai-responses': 'OpenAI Responses',
  anthropic: 'Anthropic',
  gemini: 'Gemini',
}
export const nameOf = (dialect: string): string => names[dialect] ?? dialect

/** With a reason beside it, what arrives is told in another way. */
export const stateOf = ({ state, why }: ConformanceCell): State =>
  state === 'ok' && why !== undefined ? 'otherwise' : state

/** The vendors' own clients ask everything; second ones ask what they have words for. */
export const callersOf = (
  { callers }: Conformance,
  clients: 'first' | 'second',
): ConformanceCaller[] =>
  callers.filter(({ id, dialect }) => (id === dialect) === (clients === 'first'))

/** One column of the table. */
export type Pair = { key: string; caller: ConformanceCaller; upstream: string; isFirst: boolean }

export const pairsOf = (
  callers: readonly ConformanceCaller[],
  upstreams: readonly string[],
): Pair[] =>
  callers.flatMap(caller =>
    upstreams.map((upstream, at) => ({
      ...{ key: `${caller.id}>${upstream}`, caller, upstream },
      isFirst: at === 0,
    })),
  )

const statesOf = ({ cells }: ConformanceFeature, pairs: readonly Pair[]): State[] =>
  pairs.flatMap(({ key }) => {
    const cell = cells[key]
    return cell ? [stateOf(cell)] : []
  })

export const countOf = (
  features: readonly ConformanceFeature[],
  pairs: readonly Pair[],
): Record<State, number> => {
  const all = features.flatMap(feature => statesOf(feature, pairs))
  const count = (state: State) => all.filter(each => each === state).length
  return {
    ok: count('ok'),
    otherwise: count('otherwise'),
    note: count('note'),
    refused: count('refused'),
  }
}

/** The key of a group's name in the locales. */
export const slugOf = (group: string): string => group.toLowerCase().replace(/[^a-z]+/g, '-')

/** A feature in the reader's language. */
export type Row = ConformanceFeature & { label: string; section: string }
export type Section = { label: string; rows: Row[] }

/** The rows that these columns ask about, in the groups of the run, narrowed by word and result. */
export const sectionsOf = (
  rows: readonly Row[],
  pairs: readonly Pair[],
  wanted: { keyword: string; state: string },
): Section[] => {
  const keyword = wanted.keyword.trim().toLowerCase()
  const sections = new Map<string, Section>()
  for (const row of rows) {
    const found = statesOf(row, pairs)
    if (found.length === 0) continue
    if (wanted.state && !found.includes(wanted.state as State)) continue
    const text = [row.label, row.title, row.name, row.section].join('\n').toLowerCase()
    if (!text.includes(keyword)) continue
    const section = sections.get(row.section) ?? { label: row.section, rows: [] }
    section.rows.push(row)
    sections.set(row.section, section)
  }
  return [...sections.values()]
}

/** What becomes of a feature in the same way, for the same reason. */
export type Fate = {
  state: State
  why: string | undefined
  source: string | undefined
  /** Of the cells. */
  keys: string[]
  /** By caller, to which upstreams. */
  between: { caller: ConformanceCaller; upstreams: string[] }[]
}

/** The gravest first. */
export const fatesOf = ({ cells }: ConformanceFeature, pairs: readonly Pair[]): Fate[] => {
  const fates = new Map<string, Fate>()
  for (const { key, caller, upstream } of pairs) {
    const cell = cells[key]
    if (!cell) continue
    const { why, source } = cell
    const state = stateOf(cell)
    const name = JSON.stringify([state, why, source])
    const fate = fates.get(name) ?? { state, why, source, keys: [], between: [] }
    fate.keys.push(key)
    const known = fate.between.find(each => each.caller.id === caller.id)
    if (known) known.upstreams.push(upstream)
    else fate.between.push({ caller, upstreams: [upstream] })
    fates.set(name, fate)
  }
  return [...fates.values()].toSorted(
    (one, other) => states.indexOf(other.state) - states.indexOf(one.state),
  )
}

/** Documents on the web are opened; a path of the source is only named. */
export const linkOf = (source: string): URL | undefined => {
  const url = URL.parse(source)
  return url?.protocol === 'https:' ? url : undefined
}
