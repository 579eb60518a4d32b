import { Fault } from '@hub/contract'
import { type Edits, type ParsedRequest, readFieldRanges } from '@hub/dialects'
import {
  hasName,
  isSteeringContainer,
  listedNames,
  makeNameSet,
  steeringNameOf,
} from '@hub/providers'
import type { Channel } from './channel.ts'

export const optionList = (value: unknown): string[] =>
  typeof value === 'string' && value !== '' ? listedNames(value) : []

type SentRequest = Pick<ParsedRequest, 'body' | 'fieldRanges'>

/**
 * Refuses fields of the caller that steer a gateway behind the channel, unless the channel passes them. `edits` are the
 * operator's and the provider's: what they replace or remove is not the caller's any more.
 */
export const checkSteering = (
  { options }: Pick<Channel, 'options'>,
  format: string,
  { body, fieldRanges }: SentRequest,
  edits: Edits = {},
): void => {
  for (const [field, { start, end }] of fieldRanges) {
    if (field in edits) continue
    const [container, inner] = bracketed(field)
    const name = steeringNameOf(inner, { format, container })
    if (name !== undefined && !isNull(body, start, end)) requireAllowed(options, field, name)
    if (isSteeringContainer(field))
      checkContainer(options, field, body.toString('utf8', start, end))
  }
}

/** As `checkSteering`, for a body of JSON that was not read. One that is not an object names no fields. */
export const checkSteeringIn = (
  channel: Pick<Channel, 'options'>,
  format: string,
  body: Buffer,
): void => {
  const read = readFieldRanges(body, 0, body.length, [])
  if (read.ok) checkSteering(channel, format, { body, fieldRanges: read.fieldRanges })
  else if (read.reason === 'ambiguous') throw new Fault('request.ambiguous', { hint: read.hint })
}

/** As `checkSteering`, for the value of a whole body. */
export const checkSteeringOf = (
  { options }: Pick<Channel, 'options'>,
  format: string,
  body: unknown,
): void => {
  if (!isObject(body)) return
  for (const [field, value] of Object.entries(body)) {
    const name = steeringNameOf(field, { format })
    if (name !== undefined && value !== null) requireAllowed(options, field, name)
    if (isSteeringContainer(field)) checkContainer(options, field, JSON.stringify(value) ?? '')
  }
}

/** Fields of a form name what is in an object as `metadata[field]`. */
const bracketed = (field: string): [container: string | undefined, inner: string] => {
  const open = field.indexOf('[')
  if (open <= 0 || !isSteeringContainer(field.slice(0, open))) return [undefined, field]
  return [field.slice(0, open), field.slice(open + 1).replace(/\].*$/, '')]
}

const isNull = (body: Buffer, start: number, end: number): boolean =>
  end - start === 4 && body.toString('latin1', start, end) === 'null'

const checkContainer = (options: Channel['options'], container: string, json: string): void => {
  const value = parse(json)
  const object = typeof value === 'string' ? parse(value) : value
  if (!isObject(object)) return
  for (const [field, inner] of Object.entries(object)) {
    const name = steeringNameOf(field, { format: '', container })
    if (name !== undefined && inner !== null) requireAllowed(options, `${container}.${field}`, name)
  }
}

const parse = (json: string): unknown => {
  try {
    return JSON.parse(json)
  } catch {
    return undefined
  }
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const shownMax = 100

const requireAllowed = (options: Channel['options'], field: string, name: string): void => {
  const allowed = optionList(options.passing?.fields)
  if (hasName(makeNameSet(allowed), name)) return
  throw new Fault('request.steering', { hint: `Field: '${field.slice(0, shownMax)}'.` })
}
