export type JsonMap = Readonly<Record<string, unknown>>

export const isJsonObject = (value: unknown): value is JsonMap =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
