import { createHash, randomBytes } from 'node:crypto'

/** Random base64url text with at least 128 bits, for session ids and access tokens. */
export const randomText = (bytes = 32): string => randomBytes(bytes).toString('base64url')

/** 12 hexadecimal digits: safe in a URL and easy to read aloud. */
export const makeInviteCode = (): string => randomBytes(6).toString('hex')

export const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex')

const checksumOf = (body: string): string =>
  createHash('sha256').update(`sk-${body}`).digest('base64url').slice(0, 6)

/** `sk-`, 32 random bytes and a checksum that lets secret scanners recognise real keys. */
export const makeTokenKey = (): string => {
  const body = randomText(32)
  return `sk-${body}${checksumOf(body)}`
}

/** False for imported keys and keys chosen by an operator, which are valid without a checksum. */
export const hasChecksum = (key: string): boolean =>
  /^sk-[\w-]{49}$/.test(key) && key.slice(-6) === checksumOf(key.slice(3, -6))

/** The displayable part of a key: enough to distinguish two keys, not enough to guess one. */
export const masked = (key: string): string =>
  key.length < 24 ? '********' : `${key.slice(0, 7)}…${key.slice(-4)}`
