import { argon2, randomBytes, timingSafeEqual } from 'node:crypto'
import { promisify } from 'node:util'
import bcrypt from 'bcrypt'

const derive = promisify(argon2)

/** OWASP's floor for argon2id: 19 MiB, two passes, one lane. */
const cost = { memory: 19_456, passes: 2, parallelism: 1 }
const tagBytes = 32

const encoded = (bytes: Buffer) => bytes.toString('base64').replace(/=+$/, '')

export const hashPassword = async (password: string): Promise<string> => {
  const nonce = randomBytes(16)
  const tag = await derive('argon2id', {
    ...cost,
    message: password.normalize('NFC'),
    nonce,
    tagLength: tagBytes,
  })
  const { memory, passes, parallelism } = cost
  return `$argon2id$v=19$m=${memory},t=${passes},p=${parallelism}$${encoded(nonce)}$${encoded(tag)}`
}

/** `stale`: right, but hashed by another product or at another cost; hash it anew while the password is at hand. */
export type Verdict = 'right' | 'stale' | 'wrong'

export const verifyPassword = async (password: string, hash: string): Promise<Verdict> => {
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

/** Go's bcrypt refuses more than 72 bytes and this library ignores what comes after them: never take the beginning for the whole. */
const verifyBcrypt = async (password: string, hash: string) =>
  Buffer.byteLength(password) <= 72 && (await bcrypt.compare(password, hash))

/** Costs what a real check costs, so that an unknown name answers no faster than a wrong password. */
export const verifyNothing = async (password: string): Promise<void> => {
  await verifyPassword(password, nobody)
}
const nobody = `$argon2id$v=19$m=${cost.memory},t=${cost.passes},p=${cost.parallelism}$${encoded(Buffer.alloc(16))}$${encoded(Buffer.alloc(tagBytes))}`
