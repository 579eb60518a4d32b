import { z } from 'zod'

/** The schema below `optional`, `default`, `nullable`, transformations, and a union with the empty string. */
export const innermost = (schema: z.ZodType): z.ZodType => {
  if (schema instanceof z.ZodPipe) return innermost(schema.in as z.ZodType)
  if (
    schema instanceof z.ZodOptional ||
    schema instanceof z.ZodDefault ||
    schema instanceof z.ZodNullable
  )
    return innermost(schema.unwrap() as z.ZodType)
  if (schema instanceof z.ZodUnion) {
    const nonEmpty = (schema.options as z.ZodType[]).filter(
      each => !(each instanceof z.ZodLiteral && each.value === ''),
    )
    if (nonEmpty.length === 1 && nonEmpty[0]) return innermost(nonEmpty[0])
  }
  return schema
}
