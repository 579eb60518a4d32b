export type JsonMap = Readonly<Record<string, unknown>>

export const isJsonObject = (value: unknown): value is JsonMap =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** The numbers of a JSON object of an option; everything else is left out. */
export const numbersOf = (text: string | undefined): Map<string, number> => {
  try {
    const value: unknown = JSON.parse(text || '{}')
    const entries = isJsonObject(value) ? Object.entries(value) : []
    return new Map(entries.filter((each): each is [string, number] => typeof each[1] === 'number'))
  } catch {
    return new Map()
  }
}
