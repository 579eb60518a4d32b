import type { CallImage } from './types.ts'

/** Leaves out what is not set: undefined values and empty lists. */
export const compact = (fields: Record<string, unknown>): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(fields).filter(
      ([, value]) => value !== undefined && !(Array.isArray(value) && value.length === 0),
    ),
  )

export const dataUrl = ({ type, data }: CallImage): string => `data:${type};base64,${data}`
