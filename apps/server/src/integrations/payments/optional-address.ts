import { z } from 'zod'

/** Another address than the vendor's own, such as a sandbox; empty: the vendor's own. */
export const OptionalAddress = z
  .string()
  .trim()
  .max(300)
  .default('')
  .refine(text => text === '' || isPlainAddress(text), 'must be an address without a user name')
  .transform(text => text.replace(/\/+$/, ''))

const isPlainAddress = (text: string): boolean => {
  const url = URL.parse(text)
  if (!url || !/^https?:$/.test(url.protocol)) return false
  return url.username === '' && url.password === '' && url.search === '' && url.hash === ''
}
