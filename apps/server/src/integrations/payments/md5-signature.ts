import { createHash, timingSafeEqual } from 'node:crypto'

/**
 * The signature of the Epay family of protocols: pairs sorted by name and joined by `&`, without empty values, followed by
 * the key. MD5 is the vendors' choice.
 */
export const md5Signature = (
  fields: Readonly<Record<string, string>>,
  key: string,
  unsigned: readonly string[],
): string => {
  const pairs = Object.keys(fields)
    .filter(name => fields[name] !== '' && !unsigned.includes(name))
    .sort()
    .map(name => `${name}=${fields[name]}`)
  return createHash('md5')
    .update(pairs.join('&') + key, 'utf8')
    .digest('hex')
}

/** Compares in constant time. An empty text equals nothing. */
export const equalText = (left: string, right: string): boolean => {
  const [a, b] = [Buffer.from(left), Buffer.from(right)]
  return a.length > 0 && a.length === b.length && timingSafeEqual(a, b)
}
