import { createHmac } from 'node:crypto'
import type { App } from '../../core/app.ts'

const prefix = 'whsec_'

/** The secret by which a user verifies callbacks. Another version is another secret. */
export const callbackSecret = (app: App, userId: number, version: number): string => {
  const key = app.seal.fingerprint('task-callback', `user ${userId} ${version}`)
  return prefix + Buffer.from(key, 'hex').toString('base64')
}

type SignedMessage = { id: string; seconds: number; body: string }

/** https://github.com/standard-webhooks/standard-webhooks/blob/main/spec/standard-webhooks.md */
export const signedHeaders = (
  secret: string,
  { id, seconds, body }: SignedMessage,
): Readonly<Record<string, string>> => {
  const key = Buffer.from(secret.slice(prefix.length), 'base64')
  const signature = createHmac('sha256', key).update(`${id}.${seconds}.${body}`).digest('base64')
  return {
    'webhook-id': id,
    'webhook-timestamp': String(seconds),
    'webhook-signature': `v1,${signature}`,
  }
}
