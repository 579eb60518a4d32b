import { createHash, randomBytes } from 'node:crypto'

/** 128 bits and more, for session ids and access tokens. */
export const randomText = (bytes = 32): string => randomBytes(bytes).toString('base64url')

/** Of letters and digits that stand in an address and survive being read out: 12 hexadecimal digits. */
export const makeInviteCode = (): string => randomBytes(6).toString('hex')

export const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex')

const checksumOf = (body: string): string =>
  createHash('sha256').update(`sk-${body}`).digest('base64url').slice(0, 6)

/** `sk-`, 32 random bytes, and a checksum by which secret scanners tell a real key from an accident. */
export const makeTokenKey = (): string => {
  const body = randomText(32)
  return `sk-${body}${checksumOf(body)}`
}

/** Only keys made here have a checksum: imported ones and those that an operator gave fail this and are good all the same. */
export const hasChecksum = (key: string): boolean =>
  /^sk-[\w-]{49}$/.test(key) && key.slice(-6) === checksumOf(key.slice(3, -6))

/** What may be shown of a key: enough to tell two apart, not enough to guess one. */
export const masked = (key: string): string =>
  key.length < 24 ? '********' : `${key.slice(0, 7)}…${key.slice(-4)}`
