import type { Generated } from 'kysely'

/** What opens something once: a link, an e-mail code, the state of a sign-in at a third party. */
export type OneTimeCodesTable = {
  /** Keyed hash of the token, or of the subject of a short code. */
  id_hash: string
  purpose: string
  /** Keyed hash of a short code; empty for a token. */
  code_hash: string
  payload_sealed: string
  attempts: number
  expires_at: number
}

export type SecondFactorsTable = {
  user_id: number
  /** The shared secret of the authenticator app. */
  secret_sealed: string
  /** The time step of the last accepted code; an older or equal one is refused. */
  last_step: number
  /** Null: set up, but not confirmed by a code. */
  enabled_at: number | null
}

/** Unused backup codes of second factors. */
export type BackupCodesTable = { user_id: number; code_hash: string }

/** Public keys of authenticators by which users sign in. */
export type PasskeysTable = {
  id: Generated<number>
  user_id: number
  /** Unique; base64url, as is the key. */
  credential_id: string
  /** In COSE form. */
  public_key: string
  /** The signature counter of the last answer. Authenticators without one send 0. */
  counter: number
  /** A JSON list for the browser. */
  transports: string
  backed_up: number
  name: string
  created_time: number
  last_used_time: number
}

/** Providers of sign-ins that an operator added. */
export type OAuthProvidersTable = {
  id: Generated<number>
  /** Unique; part of the callback's address. */
  slug: string
  name: string
  /** `oidc` or `oauth2`. */
  kind: string
  enabled: number
  client_id: string
  client_secret_sealed: string
  issuer: string
  authorization_endpoint: string
  token_endpoint: string
  userinfo_endpoint: string
  scopes: string
  subject_field: string
  username_field: string
  name_field: string
  email_field: string
  email_verified_field: string
  created_time: number
}
