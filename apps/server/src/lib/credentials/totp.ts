import { createHmac, randomBytes } from 'node:crypto'

/** Time-based one-time passwords: https://www.rfc-editor.org/rfc/rfc6238, with the parameters that every app supports. */
const stepSeconds = 30
const digits = 6

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'

/** 160 random bits in base32, as https://www.rfc-editor.org/rfc/rfc4226#section-4 recommends. */
export const makeTotpSecret = (): string =>
  [...randomBytes(32)].map(byte => alphabet[byte % 32]).join('')

const bytesOf = (secret: string): Buffer => {
  const bits = [...secret].map(digit => alphabet.indexOf(digit).toString(2).padStart(5, '0'))
  const octets = bits.join('').match(/.{8}/g) ?? []
  return Buffer.from(octets.map(octet => Number.parseInt(octet, 2)))
}

/** The code of a time step, by HOTP: https://www.rfc-editor.org/rfc/rfc4226#section-5.3 */
export const codeAtStep = (secret: string, step: number): string => {
  const counter = Buffer.alloc(8)
  counter.writeBigUInt64BE(BigInt(step))
  const mac = createHmac('sha1', bytesOf(secret)).update(counter).digest()
  const offset = mac[mac.length - 1]! & 0xf
  const number = mac.readUInt32BE(offset) & 0x7fffffff
  return String(number % 10 ** digits).padStart(digits, '0')
}

export const stepAt = (seconds: number): number => Math.floor(seconds / stepSeconds)

/** The step whose code this is: the current one or a neighbour, since clocks differ. Undefined: none of them. */
export const matchingStep = (secret: string, code: string, seconds: number): number | undefined => {
  const current = stepAt(seconds)
  return [current, current - 1, current + 1].find(step => codeAtStep(secret, step) === code)
}

/** The address that an authenticator app reads from a QR code: https://github.com/google/google-authenticator/wiki/Key-Uri-Format */
export const totpUri = (secret: string, issuer: string, account: string): string => {
  const label = `${encodeURIComponent(issuer)}:${encodeURIComponent(account)}`
  const query = `secret=${secret}&issuer=${encodeURIComponent(issuer)}&algorithm=SHA1`
  return `otpauth://totp/${label}?${query}&digits=${digits}&period=${stepSeconds}`
}
