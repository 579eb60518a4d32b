import { z } from 'zod'
import { get, Nothing, post, put, resource } from './resource.ts'
import { Password, User, Username } from './users.ts'

export const ProfilePatch = z.object({
  display_name: z.string().trim().max(50).optional(),
  username: Username.optional(),
  password: z.union([z.literal(''), Password]).optional(),
  /** Needed to change the username or the password. */
  current_password: z.string().max(128).meta({ secret: true }).optional(),
})

/** What a user has to show to those they invite, and what came of it. */
export const Invitation = z.object({
  code: z.string(),
  /** How many signed up with it. */
  count: z.number(),
  /** Points they brought in. */
  reward: z.number(),
  /** Points for the next one who signs up: for this user, and for the one invited. */
  quota_for_inviter: z.number(),
  quota_for_invitee: z.number(),
  /** False while nobody can sign up. */
  open: z.boolean(),
})
export type Invitation = z.output<typeof Invitation>

export const Redeeming = z.object({
  /** A redemption code. */
  key: z.string().trim().min(1).max(100).meta({ secret: true }),
})

export const profile = resource('/api/user', {
  get: get('/self', { access: 'user', input: Nothing, reply: User, summary: 'The signed-in user' }),
  update: put('/self', {
    access: 'user',
    input: ProfilePatch,
    reply: User,
    summary: 'Changes name or password; other sessions end with the password',
  }),
  createAccessToken: post('/token', {
    access: 'user',
    input: Nothing,
    reply: z.string(),
    summary: 'Makes a new access token for scripts; the old one ends',
  }),
  inviteCode: get('/aff', {
    access: 'user',
    input: Nothing,
    reply: z.string(),
    summary: 'The caller’s invite code',
  }),
  invitation: get('/invitation', {
    access: 'user',
    input: Nothing,
    reply: Invitation,
    summary: 'The invite code, how many used it, and what that brings',
  }),
  redeem: post('/topup', {
    access: 'user',
    input: Redeeming,
    reply: z.number(),
    limit: 'critical',
    audit: true,
    summary: 'Turns a redemption code into quota; answers the points that were added',
  }),
  rate: get('/dashboard/rate', {
    access: 'user',
    input: Nothing,
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
