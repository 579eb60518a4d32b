import { innermost } from '@hub/contract'
import { z } from 'zod'
import type { ControlKind } from './types.ts'

export type FieldShape = {
  key: string
  kind: ControlKind
  required: boolean
  /** The options of a select. */
  values: (string | number)[]
  /** The value in an untouched form. */
  initial: unknown
}

/** Derives the control of each field from a schema. */
export const describeFields = (schema: z.ZodObject): FieldShape[] =>
  Object.entries(schema.shape as Record<string, z.ZodType>).map(([key, field]) => {
    const inner = innermost(field)
    const values = selectOptions(inner)
    const kind = kindOf(key, inner, values)
    const parsed = field.safeParse(undefined)
    return {
      key,
      kind,
      values,
      required: !parsed.success && kind !== 'switch',
      initial: parsed.success && parsed.data !== undefined ? parsed.data : emptyValues[kind],
    }
  })

const emptyValues: Partial<Record<ControlKind, unknown>> = {
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
  return schema instanceof z.ZodString && maxLengthOf(schema) > 1000 ? 'multiline' : 'text'
}

/** Zod's own `maxLength` comes with its writers of JSON schemas, which the build leaves out. */
const maxLengthOf = ({ def }: z.ZodString): number =>
  Math.max(0, ...(def.checks ?? []).flatMap(({ _zod }) => maximumIn(_zod.def)))

const maximumIn = (check: { check: string; maximum?: unknown }): number[] =>
  check.check === 'max_length' ? [Number(check.maximum)] : []

const selectOptions = (schema: z.ZodType): (string | number)[] => {
  if (schema instanceof z.ZodEnum) return schema.options
  if (!(schema instanceof z.ZodUnion)) return []
  const options = schema.options as z.ZodType[]
  const all = options.every(each => each instanceof z.ZodLiteral)
  return all ? options.map(each => (each as z.ZodLiteral<string | number>).value) : []
}
