import { createPrivateKey, createPublicKey, type KeyObject, sign, verify } from 'node:crypto'

/** Vendors of payments require 2048 bits; shorter keys can be factored. */
const bitsMin = 2048
const bitsMax = 8192

/**
 * Reads an RSA private key: PEM, or the bare base64 that Alipay's key tool prints, each as PKCS1 or PKCS8. Undefined if
 * the text holds none.
 */
export const readPrivateKey = (text: string): KeyObject | undefined => {
  const key = firstThatParses(pemForms(text, ['PRIVATE KEY', 'RSA PRIVATE KEY']), createPrivateKey)
  return key && isUsable(key) ? key : undefined
}

/** A trial signature. A key with a damaged number can be read, and signs what does not verify. */
export const canSign = (key: KeyObject): boolean =>
  verifyRsa(createPublicKey(key), 'trial', signRsa(key, 'trial'))

/** Reads an RSA public key: PEM, or bare base64. A private key or a certificate is none. */
export const readPublicKey = (text: string): KeyObject | undefined => {
  if (/PRIVATE KEY|CERTIFICATE/.test(text)) return undefined
  const key = firstThatParses(pemForms(text, ['PUBLIC KEY', 'RSA PUBLIC KEY']), createPublicKey)
  return key && isUsable(key) ? key : undefined
}

/** The public half as the vendors' consoles take it: base64 of its DER form, on one line. */
export const publicHalf = (key: KeyObject): string =>
  (key.type === 'private' ? createPublicKey(key) : key)
    .export({ type: 'spki', format: 'der' })
    .toString('base64')

/** Signs with SHA-256 and PKCS #1 v1.5, in base64. */
export const signRsa = (key: KeyObject, message: string | Buffer): string =>
  sign('sha256', Buffer.from(message), key).toString('base64')

/** Verifies a signature in canonical base64. */
export const verifyRsa = (key: KeyObject, message: string | Buffer, signature: string): boolean => {
  const bytes = Buffer.from(signature, 'base64')
  if (bytes.length === 0 || bytes.toString('base64') !== signature) return false
  return verify('sha256', Buffer.from(message), key, bytes)
}

const pemForms = (text: string, labels: string[]): string[] => {
  // Copies out of a JSON configuration contain the escape instead of the line break.
  const trimmed = text.replaceAll('\\n', '\n').trim()
  if (trimmed.startsWith('-----')) return [trimmed]
  const base64 = trimmed.replace(/\s+/g, '')
  if (!/^[\w+/]{100,}={0,2}$/.test(base64)) return []
  return labels.map(label => `-----BEGIN ${label}-----\n${base64}\n-----END ${label}-----`)
}

const firstThatParses = (
  forms: string[],
  parse: (pem: string) => KeyObject,
): KeyObject | undefined => {
  for (const form of forms) {
    try {
      return parse(form)
    } catch {
      // The next form is tried.
    }
  }
  return undefined
}

const isUsable = ({ asymmetricKeyType, asymmetricKeyDetails }: KeyObject): boolean => {
  const bits = asymmetricKeyDetails?.modulusLength ?? 0
  return asymmetricKeyType === 'rsa' && bits >= bitsMin && bits <= bitsMax
}
