import { z } from 'zod'
import { get, NoInput, post, put, resource } from './resource.ts'
import { OwnUsername, Password, User } from './users.ts'

export const CurrentPassword = z.string().min(1).max(128).meta({ secret: true })

export const ProfilePatch = z.object({
  display_name: z.string().trim().max(50).optional(),
  username: OwnUsername.optional(),
  password: z.union([z.literal(''), Password]).optional(),
  /** Required to change the username or the password. */
  current_password: z.string().max(128).meta({ secret: true }).optional(),
})

/** The invite code of a user, and the rewards that it earned. */
export const Invitation = z.object({
  code: z.string(),
  /** Number of users who signed up with the code. */
  count: z.number(),
  /** Points earned so far. */
  reward: z.number(),
  /** Points for each side of the next invitation. */
  quota_for_inviter: z.number(),
  quota_for_invitee: z.number(),
  /** False: registration is closed. */
  open: z.boolean(),
})
export type Invitation = z.output<typeof Invitation>

export const RedeemInput = z.object({
  /** A redemption code. */
  key: z.string().trim().min(1).max(100).meta({ secret: true }),
})

export const profile = resource('/api/user', {
  get: get('/self', { access: 'user', input: NoInput, reply: User, summary: 'The signed-in user' }),
  session: get('/session', {
    access: 'optional',
    input: NoInput,
    reply: User.nullable(),
    summary: 'The signed-in user, or null for visitors, with which the console starts',
  }),
  update: put('/self', {
    access: 'user',
    input: ProfilePatch,
    // Only administrators set an e-mail address, and an avatar comes from a sign-in.
    unsupported: ['email', 'avatar', 'avatar_url'],
    reply: User,
    audit: true,
    summary: 'Changes name or password; a new password ends other sessions and the access token',
  }),
  createAccessToken: post('/token', {
    access: 'user',
    input: z.object({ current_password: CurrentPassword }),
    reply: z.string(),
    audit: true,
    summary: 'Creates a new access token for scripts; the old one becomes invalid',
  }),
  inviteCode: get('/aff', {
    access: 'user',
    input: NoInput,
    reply: z.string(),
    summary: 'The caller’s invite code',
  }),
  invitation: get('/invitation', {
    access: 'user',
    input: NoInput,
    reply: Invitation,
    summary: 'The invite code, its number of uses, and the rewards',
  }),
  redeem: post('/topup', {
    access: 'user',
    input: RedeemInput,
    reply: z.number(),
    limit: 'critical',
    audit: true,
    summary: 'Redeems a code; returns the added points',
  }),
  rate: get('/dashboard/rate', {
    access: 'user',
    input: NoInput,
    reply: z.object({
      rpm: z.number(),
      maxRPM: z.number(),
      usageRpmRate: z.number(),
      tpm: z.number(),
      maxTPM: z.number(),
      usageTpmRate: z.number(),
    }),
    summary: 'Requests of the running minute against the limit of the group',
  }),
})
