import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes } from 'node:crypto'
import { Fault } from '@hub/contract'

export const purposes = [
  'channel-key',
  'channel-secret',
  'redemption',
  'setting',
  'queued',
  'token-key',
  'idempotency',
  'response-cache',
  'kept-answer',
  'answer-mark',
  'prompt-cache',
  'stored-object',
  'task-callback',
  'access-token',
  'audit',
  'known-browser',
  'session',
  'live-session',
  'upload-session',
  'one-time-code',
  'second-factor',
  'backup-code',
  'passkey-user',
  'payment-gateway',
  'notification-target',
  'oauth-provider',
  'telegram-bot',
  'master-key',
  'backup',
] as const
export type Purpose = (typeof purposes)[number]

/** The keys of fingerprints by their purpose, in base64. */
export type FingerprintKeys = Partial<Record<Purpose, string>>

/** Encrypts values that are read again and fingerprints values that are only compared; each purpose has its own key. */
export type Sealer = {
  /** `context` is `table.column:rowid`; a value copied to another row does not open there. */
  seal(purpose: Purpose, context: string, text: string): string
  open(purpose: Purpose, context: string, sealed: string): string
  /** Deterministic keyed hash (HMAC) of the text; reveals nothing about it without the master key. */
  fingerprint(purpose: Purpose, text: string): string
}

const version = 'v1'
const nonceBytes = 12
const tagBytes = 16

const derive = (masterKey: Buffer, name: string): Buffer =>
  Buffer.from(hkdfSync('sha256', masterKey, 'hub', name, 32))

/** The keys with which `makeSealer` makes the same fingerprints after a change of the master key. */
export const fingerprintKeysOf = (masterKey: Buffer, stored: FingerprintKeys): FingerprintKeys =>
  Object.fromEntries(
    purposes.map(each => [
      each,
      stored[each] ?? derive(masterKey, `fingerprint:${each}`).toString('base64'),
    ]),
  )

/** `fingerprintKeys` are those that were stored when the master key was changed. */
export const makeSealer = (masterKey: Buffer, fingerprintKeys: FingerprintKeys = {}): Sealer => {
  const keys = new Map<string, Buffer>()
  const keyOf = (purpose: Purpose, use: 'seal' | 'fingerprint'): Buffer => {
    const name = `${use}:${purpose}`
    const existing = keys.get(name)
    if (existing) return existing
    const stored = use === 'fingerprint' ? fingerprintKeys[purpose] : undefined
    const key = stored ? Buffer.from(stored, 'base64') : derive(masterKey, name)
    keys.set(name, key)
    return key
  }
  const associatedData = (purpose: Purpose, context: string) =>
    Buffer.from(JSON.stringify([version, purpose, context]))

  return {
    seal: (purpose, context, text) => {
      const nonce = randomBytes(nonceBytes)
      const cipher = createCipheriv('aes-256-gcm', keyOf(purpose, 'seal'), nonce)
      cipher.setAAD(associatedData(purpose, context))
      const body = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
      const sealed = Buffer.concat([nonce, cipher.getAuthTag(), body])
      return `${version}.${sealed.toString('base64url')}`
    },

    open: (purpose, context, sealed) => {
      const [prefix, encoded] = sealed.split('.')
      const bytes = Buffer.from(encoded ?? '', 'base64url')
      if (prefix !== version || bytes.length < nonceBytes + tagBytes)
        throw new Fault('server.failed', { detail: `not a sealed value: ${context}` })
      try {
        const nonce = bytes.subarray(0, nonceBytes)
        const decipher = createDecipheriv('aes-256-gcm', keyOf(purpose, 'seal'), nonce, {
          authTagLength: tagBytes,
        })
        decipher.setAAD(associatedData(purpose, context))
        decipher.setAuthTag(bytes.subarray(nonceBytes, nonceBytes + tagBytes))
        const body = bytes.subarray(nonceBytes + tagBytes)
        return Buffer.concat([decipher.update(body), decipher.final()]).toString('utf8')
      } catch (cause) {
        throw new Fault('server.failed', { detail: `cannot open the seal of ${context}`, cause })
      }
    },

    fingerprint: (purpose, text) =>
      createHmac('sha256', keyOf(purpose, 'fingerprint')).update(text).digest('hex'),
  }
}
