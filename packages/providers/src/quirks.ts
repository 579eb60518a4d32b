import {
  type Edits,
  type FormatId,
  nearestEffort,
  type ParsedRequest,
  rulesOfModel,
} from '@hub/dialects'
import { openaiRules } from './openai/model-rules.ts'

type Json = Record<string, unknown>

/** A channel's extra options, by section. */
type ChannelOptions = Readonly<Record<string, Readonly<Record<string, unknown>>>>

/** The parts of a channel that a change may depend on. */
type QuirkChannel = { options?: ChannelOptions; other?: string }

type EditBody = (view: BodyView, options: ChannelOptions, model: string, other: string) => void

/**
 * A change that one vendor needs in the JSON body. `top` splices top-level keys and keeps all other bytes. `deep` parses
 * the body, but only if `appliesTo` finds work in its bytes.
 */
export type Quirk = { onlyModels?: RegExp } & (
  | { reach: 'top'; edit: EditBody }
  | { reach: 'deep'; appliesTo(body: Buffer): boolean; apply(body: Json): void }
)

/** The top-level fields of the body after the edits so far. */
export type BodyView = {
  has(key: string): boolean
  get(key: string): unknown
  set(key: string, value: unknown): void
}

/** Adds the edits of the `top` quirks to `edits`, which it changes and returns. */
export const topEdits = (
  quirks: readonly Quirk[],
  request: Pick<ParsedRequest, 'body' | 'fieldRanges'>,
  model: string,
  edits: Edits,
  { options = {}, other = '' }: QuirkChannel = {},
): Edits => {
  if (quirks.length === 0) return edits
  const view = viewOf(request, edits)
  for (const quirk of quirks)
    if (quirk.reach === 'top' && (quirk.onlyModels?.test(model) ?? true))
      quirk.edit(view, options, model, other)
  return edits
}

/** The body after the `deep` quirks. Returns the same buffer if none applies. */
export const deepEdits = (quirks: readonly Quirk[], body: Buffer, model: string): Buffer => {
  let value: Json | undefined
  for (const quirk of quirks) {
    if (quirk.reach !== 'deep' || !(quirk.onlyModels?.test(model) ?? true)) continue
    if (!quirk.appliesTo(body)) continue
    value ??= JSON.parse(body.toString()) as Json
    quirk.apply(value)
  }
  return value ? Buffer.from(JSON.stringify(value)) : body
}

const viewOf = (
  { body, fieldRanges }: Pick<ParsedRequest, 'body' | 'fieldRanges'>,
  edits: Edits,
): BodyView => ({
  has: key => (Object.hasOwn(edits, key) ? edits[key] !== undefined : fieldRanges.has(key)),
  get: key => {
    if (Object.hasOwn(edits, key)) return edits[key]
    const range = fieldRanges.get(key)
    return range && JSON.parse(body.toString('utf8', range.start, range.end))
  },
  set: (key, value) => {
    edits[key] = value
  },
})

const top = (edit: (view: BodyView) => void, onlyModels?: RegExp): Quirk => ({
  reach: 'top',
  edit,
  ...(onlyModels ? { onlyModels } : {}),
})

export const drop = (keys: readonly string[], onlyModels?: RegExp): Quirk =>
  top(view => {
    for (const key of keys) if (view.has(key)) view.set(key, undefined)
  }, onlyModels)

/** If the body has both names, the value of the vendor's own name stays. */
export const rename = (from: string, to: string, onlyModels?: RegExp): Quirk =>
  top(view => {
    if (!view.has(from)) return
    if (!view.has(to)) view.set(to, view.get(from))
    view.set(from, undefined)
  }, onlyModels)

/** Adds only fields that the caller did not set. */
export const add = (values: Readonly<Json>, onlyModels?: RegExp): Quirk =>
  top(view => {
    for (const [key, value] of Object.entries(values)) if (!view.has(key)) view.set(key, value)
  }, onlyModels)

/** Adds the fields where the channel has that option enabled. */
export const addIfEnabled = (
  section: string,
  values: Readonly<Json>,
  onlyModels: RegExp,
): Quirk => ({
  reach: 'top',
  onlyModels,
  edit: (view, options) => {
    if (options[section]?.enable !== true) return
    for (const [key, value] of Object.entries(values)) if (!view.has(key)) view.set(key, value)
  },
})

export const clamp = (key: string, min: number, max: number, onlyModels?: RegExp): Quirk =>
  top(view => {
    const value = view.has(key) ? view.get(key) : undefined
    if (typeof value !== 'number') return
    const clamped = Math.min(max, Math.max(min, value))
    if (clamped !== value) view.set(key, clamped)
  }, onlyModels)

export const roleAs = (from: string, to: string, onlyModels?: RegExp): Quirk => ({
  reach: 'deep',
  appliesTo: body => body.includes(`"${from}"`),
  apply: body => {
    if (!Array.isArray(body.messages)) return
    for (const message of body.messages as Json[]) if (message?.role === from) message.role = to
  },
  ...(onlyModels ? { onlyModels } : {}),
})

const efforts = new Set(['low', 'medium', 'high'])

/**
 * Edits for an argument after a model's name: `gpt-5#high` sets `reasoning_effort: high`, or `reasoning.effort` in
 * Responses. As in One Hub, an argument that the model does not know is ignored.
 */
export const modelArgumentEdits = (
  argument: string,
  model: string,
  dialect: FormatId,
  request: Pick<ParsedRequest, 'body' | 'fieldRanges'>,
): Edits => {
  const rules = rulesOfModel(openaiRules, model, dialect)
  if (!efforts.has(argument) || !rules.thinking) return {}
  // The gateway writes this field, so the model must accept its value.
  const effort = rules.efforts ? nearestEffort(argument, rules.efforts.accepted) : argument
  if (dialect !== 'openai-responses') return { reasoning_effort: effort }
  const given = viewOf(request, {}).get('reasoning') as Json | null | undefined
  return { reasoning: { ...given, effort } }
}
