import type { Edits, ParsedRequest } from '@hub/dialects'
import { foldName, isSteeringContainer, steeringNameOf } from '@hub/providers'
import { pricedFieldsOf } from './field-index.ts'

/** Top-level fields that switch on tools of a vendor. */
export const toolFields: ReadonlySet<string> = new Set([
  'web_search_options',
  'search_parameters',
  'enable_search',
  'plugins',
  'mcp_servers',
  'container',
])

const pricedFields = pricedFieldsOf('body')
const pricedHeaders = pricedFieldsOf('header')

/** Tells whether a field switches on a tool at some vendor, or at a gateway that folds the case of names. */
export const isToolField = (name: string): boolean => toolFields.has(foldName(name))

/** Callers can invent more and longer names, which are judged each time. */
const rememberedMax = 1_000
const nameMax = 64
const judged = new Map<string, boolean>()

/**
 * Tells whether every field of a request is one that changes no price, steers no gateway and switches on no tool, whatever its
 * value and its vendor. Nearly every request is of this kind, and the checks of such fields are left out for it.
 */
export const hasPlainFields = (
  { fieldRanges }: Pick<ParsedRequest, 'fieldRanges'>,
  edits: Edits = {},
): boolean => {
  for (const name of fieldRanges.keys()) if (!isPlain(name)) return false
  for (const name in edits) if (!isPlain(name)) return false
  return true
}

/** Tells whether no header of a list of names and values changes the price at any vendor. */
export const hasPlainHeaders = (headers: readonly string[]): boolean => {
  for (let at = 0; at < headers.length; at += 2) if (pricedHeaders.has(headers[at]!)) return false
  return true
}

const isPlain = (name: string): boolean => {
  const known = judged.get(name)
  if (known !== undefined) return known
  const folded = foldName(name)
  const isPlain =
    !pricedFields.has(folded) &&
    !toolFields.has(folded) &&
    // A field of a form may stand for a field of an object.
    !name.includes('[') &&
    !isSteeringContainer(name) &&
    steeringNameOf(name, { format: '' }) === undefined
  if (judged.size < rememberedMax && name.length <= nameMax) judged.set(name, isPlain)
  return isPlain
}
