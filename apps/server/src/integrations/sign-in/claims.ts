/** The text or whole number at a path such as `data.user.id`; empty if there is none. */
export const fieldOf = (claims: unknown, path: string): string => {
  const value = valueAt(claims, path)
  if (typeof value === 'string') return value.trim()
  return Number.isSafeInteger(value) ? String(value) : ''
}

/** Some providers send the flag as text. */
export const isTrue = (claims: unknown, path: string): boolean => {
  const value = valueAt(claims, path)
  return value === true || value === 'true'
}

const valueAt = (claims: unknown, path: string): unknown => {
  if (path === '') return undefined
  let value = claims
  for (const key of path.split('.')) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return undefined
    value = (value as Record<string, unknown>)[key]
  }
  return value
}
