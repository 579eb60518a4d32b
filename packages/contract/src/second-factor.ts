import { z } from 'zod'
import { get, NoData, NoInput, post, resource } from './resource.ts'

/** Six digits of an authenticator app, or a backup code. */
export const SecondFactorCode = z.string().trim().min(6).max(32).meta({ secret: true })

/** Shows that the person at the keyboard is the user. Accounts without a password need a sign-in of the last ten minutes. */
export const FreshProof = z.object({
  current_password: z.string().max(128).meta({ secret: true }).optional(),
  /** Required if a second factor is enabled. */
  code: SecondFactorCode.optional(),
  /** From `POST /api/user/passkey/verify/finish`, instead of the password; of a verified user, also instead of the code. */
  passkey_proof: z.string().min(1).max(200).meta({ secret: true }).optional(),
})

const BackupCodes = z.object({
  /** Shown once; each replaces the authenticator app once. */
  backup_codes: z.array(z.string()),
})

export const secondFactor = resource('/api/user/2fa', {
  status: get('/status', {
    access: 'user',
    input: NoInput,
    response: z.object({
      enabled: z.boolean(),
      enabled_at: z.number().nullable(),
      backup_codes_left: z.number(),
    }),
    summary: 'Whether the caller has a second factor',
  }),
  setUp: post('/setup', {
    access: 'user',
    input: FreshProof,
    response: z.object({
      secret: z.string(),
      /** For a QR code. */
      uri: z.string(),
    }),
    audit: true,
    summary: 'Makes the secret of an authenticator app; it has no effect until a code confirms it',
  }),
  enable: post('/enable', {
    access: 'user',
    input: z.object({ code: SecondFactorCode }),
    response: BackupCodes,
    limit: 'failures',
    audit: true,
    summary: 'Enables the second factor by its first code; ends the other sessions',
  }),
  disable: post('/disable', {
    access: 'user',
    input: FreshProof,
    response: NoData,
    audit: true,
    summary: 'Takes the second factor away',
  }),
  renewBackupCodes: post('/backup_codes', {
    access: 'user',
    input: FreshProof,
    response: BackupCodes,
    audit: true,
    summary: 'Makes ten new backup codes; the old ones become invalid',
  }),
})
