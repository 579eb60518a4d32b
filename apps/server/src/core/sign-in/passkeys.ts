import { Fault, type NewPasskeyAnswer, type PasskeyAnswer } from '@hub/contract'
import type { z } from 'zod'
import * as passkeys from '../../db/queries/passkeys.ts'
import type { UserRow } from '../../db/queries/users.ts'
import { type App, nowSeconds } from '../app.ts'
import { siteAddress } from '../site/address.ts'
import { issueToken, type OneTimePayloads, redeemToken } from './one-time-codes.ts'

const challengeSeconds = 300
/** ES256, EdDSA and RS256 of the COSE registry: every authenticator has one of them. */
const algorithms = [-7, -8, -257]

/** The library parses certificates and takes memory, so it is loaded with the first ceremony. */
const library = () => import('@simplewebauthn/server')

type RelyingParty = { id: string; origin: string }

/**
 * The address for which passkeys are valid. Browsers accept domains only, and TLS or localhost. Undefined: there is no
 * such address, or passkeys are switched off.
 */
const findRelyingParty = (app: App): RelyingParty | undefined => {
  const address = siteAddress(app)
  if (!address || !app.settings().passkeys.PasskeyLoginEnabled) return undefined
  const { origin, hostname } = new URL(address)
  return /^[\d.]+$|^\[/.test(hostname) ? undefined : { id: hostname, origin }
}

export const isPasskeyEnabled = (app: App): boolean => findRelyingParty(app) !== undefined

/** Throws `passkey.disabled`. */
const relyingParty = (app: App): RelyingParty => {
  const party = findRelyingParty(app)
  if (!party) throw new Fault('passkey.disabled')
  return party
}

/** Names the account to authenticators without its id (Web Authentication Level 3, 14.6.1). */
const userHandle = (app: App, userId: number): string =>
  Buffer.from(app.seal.fingerprint('passkey-user', String(userId)), 'hex').toString('base64url')

const transportsOf = ({ transports }: { transports: string }): string[] => JSON.parse(transports)

/** Options of `navigator.credentials.create()` for one more passkey of the user. */
export const makeRegistrationOptions = async (app: App, user: UserRow, session: string) => {
  const { id } = relyingParty(app)
  const existing = await passkeys.listOfUser(app.db, user.id)
  const payload = { userId: user.id, session }
  const challenge = await issueToken(app, app.db, 'passkey-register', payload, challengeSeconds)
  return {
    rp: { id, name: app.settings().site.SystemName },
    user: {
      id: userHandle(app, user.id),
      name: user.username,
      displayName: user.display_name || user.username,
    },
    challenge,
    pubKeyCredParams: algorithms.map(alg => ({ alg, type: 'public-key' as const })),
    timeout: challengeSeconds * 1000,
    attestation: 'none' as const,
    excludeCredentials: existing.map(row => ({
      id: row.credential_id,
      type: 'public-key' as const,
      transports: transportsOf(row),
    })),
    authenticatorSelection: {
      residentKey: 'required' as const,
      requireResidentKey: true as const,
      userVerification: 'preferred' as const,
    },
  }
}

/** Checks the answer to options of this session, once. Throws `passkey.expired` or `passkey.refused`. */
export const verifyRegistration = async (
  app: App,
  caller: { userId: number; session: string },
  answer: z.output<typeof NewPasskeyAnswer>,
) => {
  const { id, origin } = relyingParty(app)
  const { challenge, payload } = await redeemChallenge(app, 'passkey-register', answer)
  requireSameSession(payload, caller)
  const { verifyRegistrationResponse } = await library()
  const { registrationInfo } = await verifyRegistrationResponse({
    response: answer as Parameters<typeof verifyRegistrationResponse>[0]['response'],
    expectedChallenge: challenge,
    expectedOrigin: origin,
    expectedRPID: id,
    requireUserVerification: false,
    supportedAlgorithmIDs: algorithms,
  }).catch(() => ({ registrationInfo: undefined }))
  if (!registrationInfo) throw new Fault('passkey.refused')
  const { credential, credentialBackedUp } = registrationInfo
  return {
    credential_id: credential.id,
    public_key: Buffer.from(credential.publicKey).toString('base64url'),
    counter: credential.counter,
    transports: JSON.stringify(answer.response.transports),
    backed_up: credentialBackedUp ? 1 : 0,
  }
}

type AnswerPurpose = 'passkey-login' | 'passkey-verify'

/** Options of `navigator.credentials.get()`. Without a list of credentials the authenticator offers its passkeys. */
export const makeRequestOptions = async <P extends AnswerPurpose>(
  app: App,
  purpose: P,
  payload: OneTimePayloads[P],
  credentials?: readonly { credential_id: string; transports: string }[],
) => {
  const { id: rpId } = relyingParty(app)
  return {
    challenge: await issueToken(app, app.db, purpose, payload, challengeSeconds),
    timeout: challengeSeconds * 1000,
    rpId,
    userVerification: 'preferred' as const,
    ...(credentials && {
      allowCredentials: credentials.map(row => ({
        id: row.credential_id,
        type: 'public-key' as const,
        transports: transportsOf(row),
      })),
    }),
  }
}

/**
 * Checks the answer of an authenticator and uses its challenge up. The stored counter grows with each answer, so that a
 * copied key is noticed. Throws `passkey.expired` or `passkey.refused`.
 */
export const verifyAnswer = async <P extends AnswerPurpose>(
  app: App,
  purpose: P,
  answer: z.output<typeof PasskeyAnswer>,
): Promise<{ userId: number; isUserVerified: boolean; payload: OneTimePayloads[P] }> => {
  const { id, origin } = relyingParty(app)
  const { challenge, payload } = await redeemChallenge(app, purpose, answer)
  const passkey = await passkeys.findByCredential(app.db, answer.id)
  if (!passkey) throw new Fault('passkey.refused')
  const handle = answer.response.userHandle ?? (purpose === 'passkey-login' ? '' : undefined)
  if (handle !== undefined && handle !== userHandle(app, passkey.user_id))
    throw new Fault('passkey.refused')
  const { verifyAuthenticationResponse } = await library()
  const verified = await verifyAuthenticationResponse({
    response: answer as Parameters<typeof verifyAuthenticationResponse>[0]['response'],
    expectedChallenge: challenge,
    expectedOrigin: origin,
    expectedRPID: id,
    requireUserVerification: false,
    credential: {
      id: passkey.credential_id,
      publicKey: new Uint8Array(Buffer.from(passkey.public_key, 'base64url')),
      counter: passkey.counter,
    },
  }).catch(() => undefined)
  if (!verified?.verified) throw new Fault('passkey.refused')
  const { newCounter, userVerified, credentialBackedUp } = verified.authenticationInfo
  const use = { counter: newCounter, backedUp: credentialBackedUp, now: nowSeconds(app) }
  if (!(await passkeys.recordUse(app.db, passkey.id, use))) throw new Fault('passkey.refused')
  return { userId: passkey.user_id, isUserVerified: userVerified, payload }
}

/** Uses the challenge up before anything else is checked: of the same answer sent twice at once, one is accepted. */
const redeemChallenge = async <P extends AnswerPurpose | 'passkey-register'>(
  app: App,
  purpose: P,
  { response }: { response: { clientDataJSON: string } },
) => {
  const challenge = readChallenge(response.clientDataJSON)
  const payload = challenge && (await redeemToken(app, app.db, purpose, challenge))
  if (!payload) throw new Fault('passkey.expired')
  return { challenge, payload }
}

const readChallenge = (clientDataJSON: string): string => {
  try {
    const { challenge } = JSON.parse(Buffer.from(clientDataJSON, 'base64url').toString())
    return typeof challenge === 'string' ? challenge : ''
  } catch {
    throw new Fault('passkey.refused')
  }
}

/** An answer that was made in one session adds or shows nothing in another. */
export const requireSameSession = (
  payload: { userId: number; session: string },
  caller: { userId: number; session: string },
): void => {
  if (payload.userId !== caller.userId || payload.session !== caller.session)
    throw new Fault('passkey.expired')
}
