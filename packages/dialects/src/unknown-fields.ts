import type { UnknownFields } from './canon.ts'
import { isEmpty } from './decode-values.ts'
import type { DialectId } from './dialect-id.ts'
import type { Json } from './json/json.ts'

/** The fields that canon does not model, unchanged; undefined for none. A null field counts as absent. */
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

/** As `unknownFieldsOf`, for an answer: an empty field counts as absent too. */
export const filledUnknownFields = (
  object: Json,
  known: ReadonlySet<string>,
  dialect: DialectId,
): UnknownFields | undefined => {
  const found = unknownFieldsOf(object, known, dialect)
  if (!found) return undefined
  const fields = Object.entries(found.fields).filter(([, value]) => !isEmpty(value))
  return fields.length > 0 ? { dialect, fields: Object.fromEntries(fields) } : undefined
}

/** The fields to write back, if they come from this dialect. */
export const ownFields = (
  unknownFields: UnknownFields | undefined,
  dialect: DialectId,
): Record<string, unknown> | undefined =>
  unknownFields !== undefined && unknownFields.dialect === dialect
    ? unknownFields.fields
    : undefined
