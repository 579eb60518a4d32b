import type { ParameterRule, PriceMode } from '@hub/contract'
import { includesWord, type ParsedRequest } from '@hub/dialects'
import { foldName, type PriceField } from '@hub/providers'
import type { Reservation } from '../../billing/open-hold.ts'
import type { Channel } from '../channels/channel.ts'
import type { Candidates } from '../routing/pick.ts'
import { pricedFieldsOf } from './field-index.ts'
import { pricedValues } from './read-value.ts'

export type ReservedModes = Pick<Reservation, 'modes' | 'cacheWrite'>

const none: ReservedModes = {}
const longCacheWrite: PriceMode = 'cached_write_12h_tokens'

const bodyFields = pricedFieldsOf('body')
const headerFields = [...pricedFieldsOf('header')]

type CallerRequest = Pick<ParsedRequest, 'body' | 'fieldRanges' | 'marksCache'>
type Headers = Readonly<Record<string, string | string[] | undefined>>

/**
 * The modes that a call may be charged in, of the caller's request and of the channels that may serve it, for its hold. A
 * request without such a field costs a look-up for each of its top-level fields.
 */
export const reservedModes = (
  parsed: CallerRequest,
  headers: Headers,
  candidates: Candidates,
): ReservedModes => {
  const own = modesOfRequest(parsed, headers)
  const added = modesOfCandidates(candidates)
  const modes = own.length + added.length === 0 ? undefined : [...new Set([...own, ...added])]
  const isLong = modes?.includes(longCacheWrite) ?? false
  const cacheWrite = cacheWriteOf(parsed, candidates) ?? (isLong ? '5m' : undefined)
  return modes || cacheWrite ? { modes, cacheWrite } : none
}

/** The modes of two reservations, for a call that either may serve. */
export const bothModes = (one: ReservedModes, other: ReservedModes): ReservedModes => {
  if (!one.modes && !other.modes && !one.cacheWrite && !other.cacheWrite) return none
  const modes = [...new Set([...(one.modes ?? noModes), ...(other.modes ?? noModes)])]
  const isHour = one.cacheWrite === '1h' || other.cacheWrite === '1h'
  return { modes, cacheWrite: isHour ? '1h' : (one.cacheWrite ?? other.cacheWrite) }
}

const noModes: readonly string[] = []

const modesOfRequest = (
  { body, fieldRanges }: Pick<ParsedRequest, 'body' | 'fieldRanges'>,
  headers: Headers,
): readonly string[] => {
  let found: string[] | undefined
  const add = (fields: readonly PriceField[], value: unknown) => {
    found = [...(found ?? []), ...modesIn(fields, value)]
  }
  for (const [key, { start, end }] of fieldRanges) {
    const fields = bodyFields.get(key) ?? bodyFields.get(foldName(key))
    if (fields) add(fields, JSON.parse(body.toString('utf8', start, end)))
  }
  for (const [name, fields] of headerFields)
    if (headers[name] !== undefined) add(fields, String(headers[name]))
  return found ?? noModes
}

const modesIn = (fields: readonly PriceField[], value: unknown): string[] =>
  fields.flatMap(field =>
    pricedValues(field, value).flatMap(each =>
      Object.hasOwn(field.modes, each) ? field.modes[each]! : [],
    ),
  )

const byCandidates = new WeakMap<Candidates, readonly string[]>()

/** Operators may add fields to every request of a channel, or of one of its models. */
const modesOfCandidates = (candidates: Candidates): readonly string[] => {
  let modes = byCandidates.get(candidates)
  if (!modes) {
    const channels = candidates.tiers.flatMap(each => each.channels)
    modes = [...new Set(channels.flatMap(modesOfChannel))]
    byCandidates.set(candidates, modes)
  }
  return modes
}

const modesOfChannel = ({
  customParameter = {},
  parameterRules = [],
  requestHeaders,
}: Channel): readonly string[] => {
  const objects = [customParameter, ...Object.values(customParameter)].filter(
    each => typeof each === 'object' && each !== null,
  )
  const inBody = objects.flatMap(each =>
    Object.entries(each as object).flatMap(([key, value]) =>
      modesIn(bodyFields.get(foldName(key)) ?? [], value),
    ),
  )
  const inHeaders = headerFields.flatMap(([name, fields]) =>
    Object.entries(requestHeaders).flatMap(([key, value]) =>
      key.toLowerCase() === name ? modesIn(fields, value) : [],
    ),
  )
  return [...inBody, ...inHeaders, ...modesOfRules(parameterRules)]
}

/** The modes that rules of an operator may write into a request, whatever their conditions. */
export const modesOfRules = (rules: readonly ParameterRule[]): readonly string[] =>
  rules.flatMap(({ set = {}, default: added = {} }) =>
    [...Object.entries(set), ...Object.entries(added)].flatMap(([path, value]) => {
      const [name = '', ...inner] = path.split('.')
      const whole = inner.reduceRight<unknown>((part, key) => ({ [key]: part }), value)
      return modesIn(bodyFields.get(foldName(name)) ?? [], whole)
    }),
  )

const hour = '"1h"'

/** The longest cache that the request marks its prompt for. Vendors charge more for what they write than for what they read. */
const cacheWriteOf = (
  { body, fieldRanges, marksCache }: CallerRequest,
  candidates: Candidates,
): Reservation['cacheWrite'] => {
  if (marksCache) return includesWord(body, hour) ? '1h' : '5m'
  if (fieldRanges.has('prompt_cache_options')) return '5m'
  return cachesPrompts(candidates) ? '5m' : undefined
}

const caching = new WeakMap<Candidates, boolean>()

/** Channels may mark translated prompts themselves. */
const cachesPrompts = (candidates: Candidates): boolean => {
  let found = caching.get(candidates)
  if (found === undefined) {
    found = candidates.tiers.some(({ channels }) =>
      channels.some(({ provider, options }) =>
        provider.serves.chat?.some(each => each.cachesPrompts?.(options)),
      ),
    )
    caching.set(candidates, found)
  }
  return found
}
