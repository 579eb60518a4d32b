/** Decoded JSON from outside. Only decoders and encoders use it, and they check each field at its use. */
export type Json = any

export type JsonObject = Record<string, unknown>

export const isJsonObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
