import { randomInt } from 'node:crypto'
import type { Database } from '../../db/index.ts'
import * as codes from '../../db/queries/one-time-codes.ts'
import { randomText } from '../../lib/random.ts'
import { type App, nowSeconds } from '../app.ts'
import type { EmailLanguage } from '../define-job.ts'

/** The payload of each purpose. */
export type OneTimePayloads = {
  /** A sign-in whose first factor was right. */
  'second-step': { userId: number }
  /** An e-mail address, shown to be the caller's by a code that was sent there. */
  'verify-email': { email: string }
  'reset-password': { userId: number }
  /** A challenge for an authenticator; its text is the token. */
  'passkey-register': { userId: number; session: string }
  'passkey-login': Record<string, never>
  'passkey-verify': { userId: number; session: string; action: string }
  /** A passkey was used to show who calls, for one request to the endpoint. */
  'passkey-proof': { userId: number; session: string; action: string; isUserVerified: boolean }
  /** An account of Telegram will be bound; `language` and `ip` are those of the browser that asked. */
  'telegram-bind': { userId: number; language: EmailLanguage; ip: string }
  /** A sign-in by a code of WeChat, in the browser of which this is the hash. */
  'wechat-state': { browser: string }
  /** A sign-in or binding at a third party; its text is the state. */
  'oauth-state': {
    /** Empty: a provider with a plain state. */
    provider: string
    /** Hash of the cookie of the browser in which it was begun. */
    browser: string
    /** The user and session that bind an account. 0: it is a sign-in. */
    userId: number
    session: string
    nonce: string
    codeVerifier: string
    redirectUri: string
  }
}
type Purpose = keyof OneTimePayloads

/** Guesses at what is checked while the token stays valid. */
const attemptsMax = 5

const hashOf = (app: App, purpose: Purpose, text: string) =>
  app.seal.fingerprint('one-time-code', JSON.stringify([purpose, text]))

/** Makes a token that `redeemToken` accepts once within the lifetime. Only its hash is stored. */
export const issueToken = async <P extends Purpose>(
  app: App,
  db: Database,
  purpose: P,
  payload: OneTimePayloads[P],
  lifetimeSeconds: number,
): Promise<string> => {
  const token = randomText(32)
  await write(app, db, { purpose, id: token, code: '', payload, lifetimeSeconds })
  return token
}

/** Uses the token up. Undefined: it is unknown, expired or used; of several callers at once one gets the payload. */
export const redeemToken = async <P extends Purpose>(
  app: App,
  db: Database,
  purpose: P,
  token: string,
): Promise<OneTimePayloads[P] | undefined> => {
  const idHash = hashOf(app, purpose, token)
  return opened(app, idHash, await codes.take(db, idHash, '', nowSeconds(app)))
}

/** Reads the payload before something else is checked, five times at most. The token stays valid. */
export const attemptToken = async <P extends Purpose>(
  app: App,
  purpose: P,
  token: string,
): Promise<OneTimePayloads[P] | undefined> => {
  const idHash = hashOf(app, purpose, token)
  const row = await codes.countAttempt(app.db, idHash, nowSeconds(app), attemptsMax)
  return opened(app, idHash, row?.payload_sealed)
}

/** Makes six digits for a subject such as an e-mail address. The code before it becomes invalid. */
export const issueCode = async <P extends Purpose>(
  app: App,
  db: Database,
  purpose: P,
  subject: string,
  payload: OneTimePayloads[P],
  lifetimeSeconds: number,
): Promise<string> => {
  const code = String(randomInt(1_000_000)).padStart(6, '0')
  await write(app, db, { purpose, id: subject, code, payload, lifetimeSeconds })
  return code
}

/** Uses the code up. Undefined: it is wrong, expired or used, or five guesses were wrong. */
export const redeemCode = async <P extends Purpose>(
  app: App,
  db: Database,
  purpose: P,
  subject: string,
  code: string,
): Promise<OneTimePayloads[P] | undefined> => {
  const idHash = hashOf(app, purpose, subject)
  const now = nowSeconds(app)
  // The attempt is counted even if the caller's transaction is rolled back.
  const row = await codes.countAttempt(app.db, idHash, now, attemptsMax)
  const codeHash = hashOf(app, purpose, `${subject}\n${code}`)
  if (row?.code_hash !== codeHash) return undefined
  return opened(app, idHash, await codes.take(db, idHash, codeHash, now))
}

/** Marks a secret of a third party as used. Of several callers at once, one gets true until the lifetime ends. */
export const claimOnce = (
  app: App,
  db: Database,
  kind: 'wechat-code',
  secret: string,
  lifetimeSeconds: number,
): Promise<boolean> => {
  const now = nowSeconds(app)
  const id_hash = app.seal.fingerprint('one-time-code', JSON.stringify([kind, secret]))
  const row = { id_hash, purpose: kind, code_hash: 'used', payload_sealed: '' }
  return codes.writeIfAbsent(db, { ...row, expires_at: now + lifetimeSeconds }, now)
}

type NewCode = {
  purpose: Purpose
  id: string
  code: string
  payload: unknown
  lifetimeSeconds: number
}

const write = (
  app: App,
  db: Database,
  { purpose, id, code, payload, lifetimeSeconds }: NewCode,
) => {
  const id_hash = hashOf(app, purpose, id)
  return codes.write(db, {
    id_hash,
    purpose,
    code_hash: code && hashOf(app, purpose, `${id}\n${code}`),
    payload_sealed: app.seal.seal('one-time-code', sealContext(id_hash), JSON.stringify(payload)),
    expires_at: nowSeconds(app) + lifetimeSeconds,
  })
}

const opened = <P extends Purpose>(
  app: App,
  idHash: string,
  sealed: string | undefined,
): OneTimePayloads[P] | undefined =>
  sealed === undefined
    ? undefined
    : JSON.parse(app.seal.open('one-time-code', sealContext(idHash), sealed))

const sealContext = (idHash: string) => `one_time_codes.payload_sealed:${idHash}`
