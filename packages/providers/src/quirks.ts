import type { Ask, Edits } from '@hub/dialects'

type Json = Record<string, unknown>

/** `top` changes top-level keys by splicing. `deep` needs the body as values, and says first whether it has work. */
export type Quirk = { only?: RegExp } & (
  | { reach: 'top'; edit(view: View): void }
  | { reach: 'deep'; concerns(body: Buffer): boolean; change(body: Json): void }
)

/** The body as the edits before this one leave it. */
export type View = {
  has(key: string): boolean
  get(key: string): unknown
  set(key: string, value: unknown): void
}

/** Adds what the quirks want to edits that stand already. */
export const topEdits = (
  quirks: readonly Quirk[],
  ask: Pick<Ask, 'body' | 'places'>,
  model: string,
  edits: Edits,
): Edits => {
  if (quirks.length === 0) return edits
  const view = viewOf(ask, edits)
  for (const quirk of quirks)
    if (quirk.reach === 'top' && (quirk.only?.test(model) ?? true)) quirk.edit(view)
  return edits
}

/** The body after the deep quirks; the same buffer where none has work. */
export const deepEdits = (quirks: readonly Quirk[], body: Buffer, model: string): Buffer => {
  let value: Json | undefined
  for (const quirk of quirks) {
    if (quirk.reach !== 'deep' || !(quirk.only?.test(model) ?? true)) continue
    if (!quirk.concerns(body)) continue
    value ??= JSON.parse(body.toString()) as Json
    quirk.change(value)
  }
  return value ? Buffer.from(JSON.stringify(value)) : body
}

const viewOf = ({ body, places }: Pick<Ask, 'body' | 'places'>, edits: Edits): View => ({
  has: key => (Object.hasOwn(edits, key) ? edits[key] !== undefined : places.has(key)),
  get: key => {
    if (Object.hasOwn(edits, key)) return edits[key]
    const place = places.get(key)
    return place && JSON.parse(body.toString('utf8', place.start, place.end))
  },
  set: (key, value) => {
    edits[key] = value
  },
})

const top = (edit: (view: View) => void, only?: RegExp): Quirk => ({
  reach: 'top',
  edit,
  ...(only ? { only } : {}),
})

export const drop = (keys: readonly string[], only?: RegExp): Quirk =>
  top(view => {
    for (const key of keys) if (view.has(key)) view.set(key, undefined)
  }, only)

/** Where both names are given, the vendor's own one stays. */
export const rename = (from: string, to: string, only?: RegExp): Quirk =>
  top(view => {
    if (!view.has(from)) return
    if (!view.has(to)) view.set(to, view.get(from))
    view.set(from, undefined)
  }, only)

/** Only what the caller has not said. */
export const add = (values: Readonly<Json>, only?: RegExp): Quirk =>
  top(view => {
    for (const [key, value] of Object.entries(values)) if (!view.has(key)) view.set(key, value)
  }, only)

export const clamp = (key: string, least: number, most: number, only?: RegExp): Quirk =>
  top(view => {
    const value = view.has(key) ? view.get(key) : undefined
    if (typeof value !== 'number') return
    const inside = Math.min(most, Math.max(least, value))
    if (inside !== value) view.set(key, inside)
  }, only)

export const roleAs = (from: string, to: string, only?: RegExp): Quirk => ({
  reach: 'deep',
  concerns: body => body.includes(`"${from}"`),
  change: body => {
    if (!Array.isArray(body.messages)) return
    for (const message of body.messages as Json[]) if (message?.role === from) message.role = to
  },
  ...(only ? { only } : {}),
})

/** Models of OpenAI's shape that think, and let the caller say how long. */
const thinkers = /(^|\/)(o[1-9]|gpt-[5-9])/
const efforts = new Set(['low', 'medium', 'high'])

/**
 * What an argument behind a model's name asks for: `gpt-5#high` is `reasoning_effort: high`. One that the model does not
 * know is left out, as in One Hub.
 */
export const argumentEdits = (argument: string, model: string): Edits =>
  efforts.has(argument) && thinkers.test(model) ? { reasoning_effort: argument } : {}
