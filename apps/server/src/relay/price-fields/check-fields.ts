import { Fault, isPriceMode } from '@hub/contract'
import type { Edits, ParsedRequest } from '@hub/dialects'
import { foldName, type PriceDimension, type PriceField } from '@hub/providers'
import type { Terms } from '../../billing/prices/terms.ts'
import type { Channel } from '../channels/channel.ts'
import { fieldIndexOf } from './field-index.ts'
import { pricedValues, shown } from './read-value.ts'

/** The modes that a request asks for, as keys of `extra_ratios`, by the part of the price that they change. */
export type RequestedModes = Partial<Record<PriceDimension, string>>

/** The request that leaves: its body is `parsed` with `edits`. Both lists may be changed. */
export type LeavingRequest = {
  parsed: Pick<ParsedRequest, 'body' | 'fieldRanges'>
  edits: Edits
  /** Name and value in turn, names in lower case. */
  headers: string[]
}

export type PricedChannel = Pick<Channel, 'provider' | 'baseUrl' | 'options'>

type PricedCall = {
  channel: PricedChannel
  /** The model as the vendor sees it. */
  model: string
  /** The price that the call is charged at; undefined where there is none. */
  termsOf(): Terms | undefined
}

/**
 * Returns the modes that the request asks for. A value without a ratio in the price is refused with `request.price_field`,
 * unless the channel allows or removes it.
 */
export const checkPriceFields = (call: PricedCall, request: LeavingRequest): RequestedModes => {
  const modes: RequestedModes = {}
  const { body, headers } = fieldIndexOf(call.channel)
  const { parsed, edits } = request
  for (const key of parsed.fieldRanges.keys())
    if (!Object.hasOwn(edits, key)) checkKey(call, request, { key, fields: body, modes })
  for (const key in edits)
    if (edits[key] !== undefined) checkKey(call, request, { key, fields: body, modes })
  if (headers.size > 0) checkHeaders(call, request, headers, modes)
  return modes
}

type FieldCheck = {
  key: string
  fields: ReadonlyMap<string, readonly PriceField[]>
  modes: RequestedModes
}

const checkKey = (
  call: PricedCall,
  request: LeavingRequest,
  { key, fields, modes }: FieldCheck,
) => {
  const named = fields.get(key) ?? fields.get(foldName(key))
  if (!named) return
  for (const field of fieldsOf(named, valueAt(request, key))) {
    if (!concerns(field, call)) continue
    // The operator's own routing is a choice of the channel.
    if (field.dimension === 'routing' && Object.hasOwn(request.edits, key)) continue
    for (const value of pricedValues(field, valueAt(request, key)))
      if (accept(call, field, value, modes) === 'remove') removeField(request, key, field)
  }
}

/** One name may be a word to one vendor and an object to another: `serviceTier` of Gemini and of Bedrock. */
const fieldsOf = (named: readonly PriceField[], value: unknown): readonly PriceField[] => {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return named
  const inside = named.filter(each => each.name.includes('.'))
  return inside.length > 0 ? inside : named
}

const checkHeaders = (
  call: PricedCall,
  { headers }: LeavingRequest,
  fields: ReadonlyMap<string, readonly PriceField[]>,
  modes: RequestedModes,
) => {
  for (let at = headers.length - 2; at >= 0; at -= 2)
    for (const field of fields.get(headers[at]!) ?? []) {
      if (!concerns(field, call)) continue
      for (const value of pricedValues(field, headers[at + 1]))
        if (accept(call, field, value, modes) === 'remove') removeHeader(headers, at, field)
    }
}

const concerns = ({ onlyModels }: PriceField, { model }: PricedCall): boolean =>
  onlyModels?.test(model) ?? true

/** Records the mode of a value that may pass. Throws for one that may not. */
const accept = (
  call: PricedCall,
  field: PriceField,
  value: string,
  modes: RequestedModes,
): 'pass' | 'remove' => {
  const mode = Object.hasOwn(field.modes, value) ? field.modes[value] : undefined
  const isPriced = hasPrice(call.termsOf(), field, mode)
  const policy = isPriced ? 'allow' : unpricedPolicyOf(call.channel)
  if (policy === 'remove') return 'remove'
  if (policy === 'refuse')
    throw new Fault('request.price_field', {
      hint: `'${field.name}' is '${shown(value)}', which has no price for this model.`,
    })
  if (mode !== undefined) modes[field.dimension] = mode
  return 'pass'
}

/** Long prompts have their price in the tiers. */
const hasPrice = (
  terms: Terms | undefined,
  { dimension }: PriceField,
  mode: string | undefined,
): boolean => {
  if (dimension === 'context') return terms?.tiers !== undefined || terms?.type === 'times'
  return mode !== undefined && isPriceMode(mode) && terms?.modes?.[mode] !== undefined
}

/** The channel's policy for a value that the price has no ratio for. */
export const unpricedPolicyOf = ({ options }: Pick<Channel, 'options'>) => {
  const policy = options.price_fields?.unpriced
  return policy === 'allow' || policy === 'remove' ? policy : 'refuse'
}

const valueAt = ({ parsed, edits }: LeavingRequest, key: string): unknown => {
  if (Object.hasOwn(edits, key)) return edits[key]
  const range = parsed.fieldRanges.get(key)
  return range && JSON.parse(parsed.body.toString('utf8', range.start, range.end))
}

/** Removes what the field names: one member of an object, some elements of a list, or the whole value. */
const removeField = (request: LeavingRequest, key: string, field: PriceField): void => {
  const value = valueAt(request, key)
  const [, member] = field.name.split('.')
  if (Array.isArray(value) && field.elements)
    request.edits[key] = value.filter(each => !field.elements!.test(String(each).toLowerCase()))
  else if (member !== undefined && typeof value === 'object' && value !== null)
    request.edits[key] = Object.fromEntries(
      Object.entries(value).filter(([name]) => foldName(name) !== member),
    )
  else request.edits[key] = undefined
}

const removeHeader = (headers: string[], at: number, { elements }: PriceField): void => {
  const kept = elements
    ? headers[at + 1]!.split(',').filter(each => !elements.test(each.trim().toLowerCase()))
    : []
  if (kept.length > 0) headers[at + 1] = kept.join(',')
  else headers.splice(at, 2)
}
