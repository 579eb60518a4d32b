import { z } from 'zod'

export const text = (max: number) => z.string().max(max).default('')
export const boolean = (value: boolean) => z.boolean().default(value)
export const integer = (min: number, max: number, value: number) =>
  z.number().int().min(min).max(max).default(value)
/** Stored encrypted and never sent. `settings()` has the encrypted value, which is decrypted only on use. */
export const secret = () => z.string().max(500).default('').meta({ secret: true })
export const link = () =>
  z.union([z.literal(''), z.url({ protocol: /^https?$/ }).max(500)]).default('')

/** A JSON text. */
export const json = (schema: z.ZodType, message: string, max = 50_000) =>
  z
    .string()
    .max(max)
    .refine(value => isJson(schema, value), message)

const isJson = (schema: z.ZodType, value: string): boolean => {
  try {
    return schema.safeParse(JSON.parse(value)).success
  } catch {
    return false
  }
}
