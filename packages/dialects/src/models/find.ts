import list from './models.json' with { type: 'json' }

/** The figures that the documents of a vendor give for a model. */
export type KnownModel = {
  /** A whole name, or how a name or a part of it after a separator begins, with `*`. */
  model: string
  vendor: string
  /** The tokens of prompt and answer together. Absent: the source names none, or the row stands for a whole family. */
  context?: number
  /** The longest answer, reasoning included. Absent: the source names none beside the context. */
  output?: number
  /** The longest answer of a request without a limit, where the vendor's default is lower than `output`. */
  default_output?: number
  inputs: readonly string[]
  outputs: readonly string[]
  /**
   * Whether a stream shows the reasoning that is charged, word by word. `hidden` models reason without being asked, `asked`
   * ones if they are asked, and both tell a summary or nothing. Absent: like `asked`.
   */
  reasoning?: 'shown' | 'hidden' | 'asked' | 'none'
  source: string
  /** The table that repeats the source. Absent: the source itself was read, or the row has no figures. */
  via?: string
  date: string
  /** The source could not be read and no table repeats it: the figures stand as they were. */
  unverified?: boolean
  note?: string
}

export const knownModels = list.models as readonly KnownModel[]

/** Models that the channel forms offer and that the list does not describe, with the reason. */
export const unlistedModels: readonly { model: string; reason: string; date: string }[] =
  list.unlisted

/** Vendors and their resellers write one name as `claude-opus-4-8`, `claude-opus-4.8` and `claude-opus-4-8@default`. */
const plain = (name: string): string =>
  name
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '')

const whole = new Map<string, KnownModel>()
const beginnings: [string, KnownModel][] = []
for (const row of knownModels)
  if (row.model.endsWith('*')) beginnings.push([plain(row.model), row])
  else whole.set(row.model.toLowerCase(), row)
beginnings.sort(([a], [b]) => b.length - a.length)

/** `gpt-5.2` does not begin `gpt-5-2025-08-07`: a number ends where its digits do. */
const begins = (name: string, beginning: string, start: number): boolean =>
  name.startsWith(beginning, start) &&
  !(/\d$/.test(beginning) && /^\d/.test(name.slice(start + beginning.length)))

const search = (model: string): KnownModel | undefined => {
  const exact = whole.get(model.toLowerCase())
  if (exact) return exact
  const name = plain(model)
  // A vendor or a region may stand before the name, such as in `us.anthropic.claude-opus-4-8`.
  for (let start = 0; start >= 0; start = name.indexOf('-', start) + 1 || -1) {
    const found = beginnings.find(([beginning]) => begins(name, beginning, start))
    if (found) return found[1]
  }
  return undefined
}

/** Callers choose the names, so that their number needs a bound. */
const rememberedMax = 2_000
const remembered = new Map<string, KnownModel | undefined>()

/** The row of a model: an exact name wins, then the longest beginning of the earliest part of the name. */
export const findModel = (model: string): KnownModel | undefined => {
  const found = remembered.get(model)
  if (found || remembered.has(model)) return found
  if (remembered.size >= rememberedMax) remembered.clear()
  const row = search(model)
  remembered.set(model, row)
  return row
}

/** The longest answer of a request without a limit. Undefined: the vendor names none, or the model is unknown. */
export const outputMaxOf = (model: string): number | undefined => {
  const row = findModel(model)
  return row?.default_output ?? row?.output
}
