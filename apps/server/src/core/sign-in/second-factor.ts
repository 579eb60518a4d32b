import { randomInt } from 'node:crypto'
import { Fault } from '@hub/contract'
import type { Database } from '../../db/index.ts'
import * as secondFactors from '../../db/queries/second-factors.ts'
import { matchingStep } from '../../lib/credentials/totp.ts'
import { type App, nowSeconds } from '../app.ts'
import type { HttpContext } from '../implement.ts'
import { countPasswordAttempt } from './password-attempts.ts'

const sealContext = (userId: number) => `second_factors.secret_sealed:${userId}`

export const sealTotpSecret = (app: App, userId: number, secret: string): string =>
  app.seal.seal('second-factor', sealContext(userId), secret)

export const openTotpSecret = (app: App, userId: number, sealed: string): string =>
  app.seal.open('second-factor', sealContext(userId), sealed)

const backupCodeCount = 10
const backupAlphabet = 'abcdefghjkmnpqrstuvwxyz23456789'

/** Ten codes of 49 bits, of which each replaces the authenticator app once: `abcde-fghij`. */
export const makeBackupCodes = (): string[] =>
  Array.from({ length: backupCodeCount }, () => {
    const characters = Array.from({ length: 10 }, () => backupAlphabet[randomInt(31)])
    return `${characters.slice(0, 5).join('')}-${characters.slice(5).join('')}`
  })

export const hashBackupCode = (app: App, userId: number, code: string): string =>
  app.seal.fingerprint('backup-code', `${userId}:${code}`)

/**
 * Checks a code of the authenticator app or a backup code, and uses it up. Guesses are limited per account, as for
 * passwords. Throws `second_factor.wrong` or `sign_in.locked`.
 */
export const checkSecondFactor = async (
  app: App,
  context: HttpContext,
  userId: number,
  code: string,
): Promise<void> => {
  const resetAttempts = await countPasswordAttempt(app, {
    account: `second-factor:${userId}`,
    ip: context.ip,
    knownBrowser: context.knownBrowser(userId),
  })
  const isRight = /^\d{6}$/.test(code)
    ? await useTotpCode(app, app.db, userId, code)
    : await secondFactors.useBackupCode(
        app.db,
        userId,
        hashBackupCode(app, userId, normalized(code)),
      )
  if (!isRight) throw new Fault('second_factor.wrong')
  await resetAttempts()
}

const useTotpCode = async (app: App, db: Database, userId: number, code: string) => {
  const factor = await secondFactors.find(db, userId)
  if (!factor || factor.enabled_at === null) return false
  const secret = openTotpSecret(app, userId, factor.secret_sealed)
  const step = matchingStep(secret, code, nowSeconds(app))
  return step !== undefined && (await secondFactors.useStep(db, userId, step))
}

/** People type backup codes with spaces, capitals or without the hyphen. */
const normalized = (code: string): string => {
  const characters = code.toLowerCase().replace(/[^a-z\d]/g, '')
  return `${characters.slice(0, 5)}-${characters.slice(5)}`
}
