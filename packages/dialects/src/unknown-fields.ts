import type { UnknownFields } from './canon.ts'
import type { DialectId } from './dialect-id.ts'
import type { Json } from './json.ts'

/** The fields that canon does not model, as they are; undefined where there are none. Null says nothing. */
export const unknownFieldsOf = (
  object: Json,
  known: ReadonlySet<string>,
  dialect: DialectId,
): UnknownFields | undefined => {
  let fields: Record<string, unknown> | undefined
  for (const key in object)
    if (!known.has(key) && object[key] !== null) {
      fields ??= {}
      fields[key] = object[key]
    }
  return fields && { dialect, fields }
}

/** What should be a list, or a text; nothing in its place where it is none. */
export const listOf = (value: unknown): Json[] => (Array.isArray(value) ? value : [])
export const stringOf = (value: unknown): string => (typeof value === 'string' ? value : '')

/** The fields to write back, in the dialect that they come from. */
export const ownFields = (
  unknownFields: UnknownFields | undefined,
  dialect: DialectId,
): Record<string, unknown> | undefined =>
  unknownFields !== undefined && unknownFields.dialect === dialect
    ? unknownFields.fields
    : undefined
