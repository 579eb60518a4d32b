export type Body = Readonly<Record<string, unknown>>

/** The sentence with which the vendor refuses a body; undefined where it accepts it. */
export type Check = (body: Body, model: string) => string | undefined

export const objectOf = (value: unknown): Body =>
  typeof value === 'object' && value !== null ? (value as Body) : {}

export const list = (value: unknown): Body[] => (Array.isArray(value) ? value.map(objectOf) : [])

export const textOf = (value: unknown): string => (typeof value === 'string' ? value : '')

export const firstOf =
  (...checks: readonly Check[]): Check =>
  (body, model) => {
    for (const check of checks) {
      const refusal = check(body, model)
      if (refusal !== undefined) return refusal
    }
    return undefined
  }
