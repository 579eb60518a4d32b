import type {
  Conformance,
  ConformanceCaller,
  ConformanceCell,
  ConformanceFeature,
} from '@hub/contract'

export const resultStates = ['ok', 'converted', 'note', 'refused'] as const
export type ResultState = (typeof resultStates)[number]

const names: Record<string, string> = {
  'openai-chat': 'OpenAI Chat',
  'openai-responses': 'OpenAI Responses',
  'openai-responses-socket': 'OpenAI Responses (WebSocket)',
  anthropic: 'Anthropic',
  gemini: 'Gemini',
}
export const nameOf = (dialect: string): string => names[dialect] ?? dialect

/** Callers of one dialect differ in their client, or in their transport. */
export const callerName = ({ id, dialect }: Pick<ConformanceCaller, 'id' | 'dialect'>): string =>
  names[id] ?? nameOf(dialect)

/** A passed cell with a reason was converted to an equivalent form. */
export const stateOf = ({ state, why }: ConformanceCell): ResultState =>
  state === 'ok' && why !== undefined ? 'converted' : state

/** `first` selects the vendors' own clients, `second` other clients, which support fewer features. */
export const callersOf = (
  { callers }: Conformance,
  clients: 'first' | 'second',
): ConformanceCaller[] =>
  callers.filter(({ id, dialect }) => (id === dialect) === (clients === 'first'))

/** One column of the table. */
export type FormatPair = {
  key: string
  caller: ConformanceCaller
  upstream: string
  isFirst: boolean
}

export const pairsOf = (
  callers: readonly ConformanceCaller[],
  upstreams: readonly string[],
): FormatPair[] =>
  callers.flatMap(caller =>
    upstreams.map((upstream, at) => ({
      ...{ key: `${caller.id}>${upstream}`, caller, upstream },
      isFirst: at === 0,
    })),
  )

const statesOf = ({ cells }: ConformanceFeature, pairs: readonly FormatPair[]): ResultState[] =>
  pairs.flatMap(({ key }) => {
    const cell = cells[key]
    return cell ? [stateOf(cell)] : []
  })

export const countOf = (
  features: readonly ConformanceFeature[],
  pairs: readonly FormatPair[],
): Record<ResultState, number> => {
  const all = features.flatMap(feature => statesOf(feature, pairs))
  const count = (state: ResultState) => all.filter(each => each === state).length
  return {
    ok: count('ok'),
    converted: count('converted'),
    note: count('note'),
    refused: count('refused'),
  }
}

/** The key of a group's name in the locales. */
export const slugOf = (group: string): string => group.toLowerCase().replace(/[^a-z]+/g, '-')

/** A feature with its translated label and section. */
export type FeatureRow = ConformanceFeature & { label: string; section: string }
export type FeatureSection = { label: string; rows: FeatureRow[] }

/** The rows with results in these columns, filtered by keyword and result, in the groups of the run. */
export const sectionsOf = (
  rows: readonly FeatureRow[],
  pairs: readonly FormatPair[],
  filter: { keyword: string; state: string },
): FeatureSection[] => {
  const keyword = filter.keyword.trim().toLowerCase()
  const sections = new Map<string, FeatureSection>()
  for (const row of rows) {
    const found = statesOf(row, pairs)
    if (found.length === 0) continue
    if (filter.state && !found.includes(filter.state as ResultState)) continue
    const text = [row.label, row.title, row.name, row.section].join('\n').toLowerCase()
    if (!text.includes(keyword)) continue
    const section = sections.get(row.section) ?? { label: row.section, rows: [] }
    section.rows.push(row)
    sections.set(row.section, section)
  }
  return [...sections.values()]
}

/** Cells of a feature with the same result and the same reason. */
export type Outcome = {
  state: ResultState
  why: string | undefined
  source: string | undefined
  /** Keys of the cells. */
  keys: string[]
  /** The upstreams of these cells by caller. */
  between: { caller: ConformanceCaller; upstreams: string[] }[]
}

/** Groups the cells by result and reason, the most severe result first. */
export const outcomesOf = (
  { cells }: ConformanceFeature,
  pairs: readonly FormatPair[],
): Outcome[] => {
  const outcomes = new Map<string, Outcome>()
  for (const { key, caller, upstream } of pairs) {
    const cell = cells[key]
    if (!cell) continue
    const { why, source } = cell
    const state = stateOf(cell)
    const name = JSON.stringify([state, why, source])
    const outcome = outcomes.get(name) ?? { state, why, source, keys: [], between: [] }
    outcome.keys.push(key)
    const entry = outcome.between.find(each => each.caller.id === caller.id)
    if (entry) entry.upstreams.push(upstream)
    else outcome.between.push({ caller, upstreams: [upstream] })
    outcomes.set(name, outcome)
  }
  return [...outcomes.values()].toSorted(
    (one, other) => resultStates.indexOf(other.state) - resultStates.indexOf(one.state),
  )
}

/** Undefined for sources that are not https links, such as paths in the repository. */
export const linkOf = (source: string): URL | undefined => {
  const url = URL.parse(source)
  return url?.protocol === 'https:' ? url : undefined
}
