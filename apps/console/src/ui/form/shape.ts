import { z } from 'zod'
import type { ControlKind } from './types.ts'

export type FieldShape = {
  key: string
  kind: ControlKind
  required: boolean
  /** The values of a choice. */
  values: (string | number)[]
  /** What an untouched form starts with. */
  initial: unknown
}

/** What a schema's fields look like as controls. The schema says what is allowed; this only how it is asked. */
export const describeFields = (schema: z.ZodObject): FieldShape[] =>
  Object.entries(schema.shape as Record<string, z.ZodType>).map(([key, field]) => {
    const inner = innermost(field)
    const values = choicesOf(inner)
    const kind = kindOf(key, inner, values)
    const given = field.safeParse(undefined)
    return {
      key,
      kind,
      values,
      required: !given.success && kind !== 'switch',
      initial: given.success && given.data !== undefined ? given.data : blank[kind],
    }
  })

const blank: Partial<Record<ControlKind, unknown>> = {
  text: '',
  multiline: '',
  code: '',
  password: '',
  switch: false,
  tags: [],
}

const kindOf = (key: string, schema: z.ZodType, values: (string | number)[]): ControlKind => {
  if (values.length > 0) return 'select'
  if (schema instanceof z.ZodBoolean) return 'switch'
  if (schema instanceof z.ZodNumber) return 'number'
  if (schema instanceof z.ZodArray) return 'tags'
  if (/password/.test(key)) return 'password'
  const longest = schema instanceof z.ZodString ? (schema.maxLength ?? 0) : 0
  return longest > 1000 ? 'multiline' : 'text'
}

const choicesOf = (schema: z.ZodType): (string | number)[] => {
  if (schema instanceof z.ZodEnum) return schema.options
  if (!(schema instanceof z.ZodUnion)) return []
  const options = schema.options as z.ZodType[]
  const all = options.every(each => each instanceof z.ZodLiteral)
  return all ? options.map(each => (each as z.ZodLiteral<string | number>).value) : []
}

/** Behind what may be absent, and past the empty text that many fields allow. */
export const innermost = (schema: z.ZodType): z.ZodType => {
  if (schema instanceof z.ZodPipe) return innermost(schema.in as z.ZodType)
  if (
    schema instanceof z.ZodOptional ||
    schema instanceof z.ZodDefault ||
    schema instanceof z.ZodNullable
  )
    return innermost(schema.unwrap() as z.ZodType)
  if (schema instanceof z.ZodUnion) {
    const rest = (schema.options as z.ZodType[]).filter(
      each => !(each instanceof z.ZodLiteral && each.value === ''),
    )
    if (rest.length === 1 && rest[0]) return innermost(rest[0])
  }
  return schema
}
