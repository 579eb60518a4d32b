import { argon2, randomBytes, timingSafeEqual } from 'node:crypto'
import { promisify } from 'node:util'
import bcrypt from 'bcrypt'

const derive = promisify(argon2)

/** Minimum of the OWASP Password Storage Cheat Sheet for argon2id: 19 MiB, 2 iterations, parallelism 1. */
const cost = { memory: 19_456, passes: 2, parallelism: 1 }
const tagBytes = 32

const base64 = (bytes: Buffer) => bytes.toString('base64').replace(/=+$/, '')

export const hashPassword = async (password: string): Promise<string> => {
  const nonce = randomBytes(16)
  const tag = await derive('argon2id', {
    ...cost,
    message: password.normalize('NFC'),
    nonce,
    tagLength: tagBytes,
  })
  const { memory, passes, parallelism } = cost
  return `$argon2id$v=19$m=${memory},t=${passes},p=${parallelism}$${base64(nonce)}$${base64(tag)}`
}

/** `stale`: correct, but hashed by another product or at another cost; the caller stores a new hash. */
export type PasswordCheck = 'right' | 'stale' | 'wrong'

export const verifyPassword = async (password: string, hash: string): Promise<PasswordCheck> => {
  if (/^\$2[aby]\$/.test(hash)) return (await verifyBcrypt(password, hash)) ? 'stale' : 'wrong'
  const match = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=(\d+)\$([\w+/]+)\$([\w+/]+)$/.exec(hash)
  if (!match) return 'wrong'
  const [memory, passes, parallelism] = match.slice(1, 4).map(Number) as [number, number, number]
  const expected = Buffer.from(match[5]!, 'base64')
  const tag = await derive('argon2id', {
    memory,
    passes,
    parallelism,
    message: password.normalize('NFC'),
    nonce: Buffer.from(match[4]!, 'base64'),
    tagLength: expected.length,
  })
  if (!timingSafeEqual(tag, expected)) return 'wrong'
  return memory === cost.memory && passes === cost.passes && parallelism === cost.parallelism
    ? 'right'
    : 'stale'
}

/** Refuses passwords over 72 bytes: this library would compare only the first 72, and the Go version refused them too. */
const verifyBcrypt = async (password: string, hash: string) =>
  Buffer.byteLength(password) <= 72 && (await bcrypt.compare(password, hash))

/** Takes as long as a real check, so that response time does not reveal whether a user exists. */
export const verifyUnknownUser = async (password: string): Promise<void> => {
  await verifyPassword(password, unknownUserHash)
}
export const unknownUserHash = `$argon2id$v=19$m=${cost.memory},t=${cost.passes},p=${cost.parallelism}$${base64(Buffer.alloc(16))}$${base64(Buffer.alloc(tagBytes))}`
