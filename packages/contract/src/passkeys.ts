import { z } from 'zod'
import { del, get, Id, NoData, NoInput, post, put, resource } from './resource.ts'
import { FreshProof } from './second-factor.ts'
import { SignInResult } from './sign-in.ts'

const Base64Url = z
  .string()
  .min(1)
  .max(20_000)
  .regex(/^[\w-]+$/, 'must be base64url')
const CredentialId = Base64Url.max(1400)
const Transports = z.array(z.string().max(32)).max(10)

/** The members of `PublicKeyCredential.toJSON()` that both kinds of answers have (Web Authentication Level 3, 5.1). */
const answerFields = {
  id: CredentialId,
  rawId: CredentialId,
  type: z.literal('public-key'),
  authenticatorAttachment: z.string().max(32).nullish(),
  /** No extension is asked for, so that answers to any are ignored. */
  clientExtensionResults: z.record(z.string(), z.unknown()).default({}),
}

/** RegistrationResponseJSON. */
export const NewPasskeyAnswer = z.object({
  ...answerFields,
  response: z.object({
    clientDataJSON: Base64Url,
    attestationObject: Base64Url,
    transports: Transports.default([]),
    authenticatorData: Base64Url.optional(),
    publicKey: Base64Url.nullish(),
    publicKeyAlgorithm: z.number().int().optional(),
  }),
})

/** AuthenticationResponseJSON. */
export const PasskeyAnswer = z.object({
  ...answerFields,
  response: z.object({
    clientDataJSON: Base64Url,
    authenticatorData: Base64Url,
    signature: Base64Url,
    userHandle: Base64Url.nullish(),
  }),
})

const Descriptor = z.object({
  id: z.string(),
  type: z.literal('public-key'),
  transports: z.array(z.string()).optional(),
})
const UserVerification = z.enum(['required', 'preferred', 'discouraged'])

/** PublicKeyCredentialCreationOptionsJSON. */
const CreationOptions = z.object({
  rp: z.object({ id: z.string(), name: z.string() }),
  user: z.object({ id: z.string(), name: z.string(), displayName: z.string() }),
  challenge: z.string(),
  pubKeyCredParams: z.array(z.object({ alg: z.number(), type: z.literal('public-key') })),
  timeout: z.number(),
  attestation: z.literal('none'),
  excludeCredentials: z.array(Descriptor),
  authenticatorSelection: z.object({
    residentKey: z.literal('required'),
    requireResidentKey: z.literal(true),
    userVerification: UserVerification,
  }),
})

/** PublicKeyCredentialRequestOptionsJSON. */
const RequestOptions = z.object({
  challenge: z.string(),
  timeout: z.number(),
  rpId: z.string(),
  allowCredentials: z.array(Descriptor).optional(),
  userVerification: UserVerification,
})

export const PasskeyName = z.string().trim().min(1).max(50)

export const Passkey = z.object({
  id: z.number(),
  name: z.string(),
  /** True: the authenticator keeps a copy on other devices of its owner. */
  backed_up: z.boolean(),
  created_time: z.number(),
  /** 0: never. */
  last_used_time: z.number(),
})
export type Passkey = z.output<typeof Passkey>

export const passkeys = resource('/api/user/passkey', {
  list: get('/', {
    access: 'user',
    input: NoInput,
    response: z.array(Passkey),
    summary: 'The passkeys of the caller',
  }),
  rename: put('/', {
    access: 'user',
    input: Id.extend({ name: PasskeyName }),
    response: NoData,
    audit: true,
    summary: 'Renames a passkey',
  }),
  remove: del('/:id', {
    access: 'user',
    input: Id.extend(FreshProof.shape),
    response: NoData,
    audit: true,
    summary: 'Deletes a passkey, unless the account could not sign in any more',
  }),
  beginRegistration: post('/register/begin', {
    access: 'user',
    input: FreshProof,
    response: CreationOptions,
    summary: 'Options for a new passkey, valid for five minutes',
  }),
  finishRegistration: post('/register/finish', {
    access: 'user',
    input: z.object({ name: PasskeyName, credential: NewPasskeyAnswer }),
    response: Passkey,
    audit: true,
    summary: 'Adds the passkey that an authenticator made with the options',
  }),
  beginLogin: post('/login/begin', {
    access: 'public',
    input: NoInput,
    response: RequestOptions,
    limit: 'starts',
    summary: 'Options for a sign-in by any passkey of this site, valid for five minutes',
  }),
  finishLogin: post('/login/finish', {
    access: 'public',
    input: z.object({ credential: PasskeyAnswer }),
    response: SignInResult,
    audit: true,
    summary:
      'Signs in by a passkey; asks for the second factor if the authenticator did not verify the user',
  }),
  beginVerification: post('/verify/begin', {
    access: 'user',
    input: z.object({
      /** The endpoint for which the proof is made, such as `profile.createAccessToken`. */
      action: z.string().min(1).max(100),
    }),
    response: RequestOptions,
    summary: 'Options to show by a passkey that the caller is the user',
  }),
  finishVerification: post('/verify/finish', {
    access: 'user',
    input: z.object({ credential: PasskeyAnswer }),
    response: z.object({
      /** The `passkey_proof` of one request of this session to the named endpoint, within five minutes. */
      passkey_proof: z.string(),
      /** True: it replaces the second factor too. */
      user_verified: z.boolean(),
    }),
    limit: 'failures',
    audit: true,
    summary: 'Makes a fresh proof for one request from the answer of a passkey',
  }),
})
