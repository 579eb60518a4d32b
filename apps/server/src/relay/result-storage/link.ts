import { timingSafeEqual } from 'node:crypto'
import { Fault } from '@hub/contract'
import type { App } from '../../core/app.ts'
import { nowSeconds } from '../../core/app.ts'

/** Players and browsers send no key, so anyone may read by a signed address until it expires. */
export const linkSeconds = 24 * 3_600

const signatureOf = (app: App, subject: string, expires: number): string =>
  app.seal.fingerprint('stored-object', `${subject} ${expires}`)

/** The end of a signed address of this subject, valid from now on. */
export const signedQuery = (app: App, subject: string): string => {
  const expires = nowSeconds(app) + linkSeconds
  return `expires=${expires}&signature=${signatureOf(app, subject, expires)}`
}

/** Throws `caller.unknown` where the signature of an address is wrong or has expired. */
export const checkSignature = (app: App, subject: string, query: URLSearchParams): void => {
  const expires = Number(query.get('expires'))
  const expected = Buffer.from(signatureOf(app, subject, expires))
  const given = Buffer.from(query.get('signature') ?? '')
  const isSigned = given.length === expected.length && timingSafeEqual(given, expected)
  if (!isSigned || expires < nowSeconds(app)) throw new Fault('caller.unknown')
}
