import { z } from 'zod'
import { Avatar } from './avatar.ts'
import { del, get, NoData, NoInput, post, put, resource } from './resource.ts'
import { FreshProof } from './second-factor.ts'
import { Session, SessionId } from './sessions.ts'
import { OwnUser, OwnUsername, Password, RequiredEmail } from './users.ts'

export const ProfilePatch = z.object({
  display_name: z.string().trim().max(50).optional(),
  avatar_url: Avatar.optional(),
  username: OwnUsername.optional(),
  password: z.union([z.literal(''), Password]).optional(),
  /** Required to change the username or the password. */
  ...FreshProof.shape,
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
  /** When the inviter is rewarded: the setting `InviterRewardTime`. */
  reward_time: z.enum(['payment_or_spending', 'payment', 'spending', 'at_once']),
  /** Invited users whose reward still waits for that. */
  waiting: z.number(),
  /** False: registration is closed. */
  open: z.boolean(),
})
export type Invitation = z.output<typeof Invitation>

export const RedeemInput = z.object({
  /** A redemption code. */
  key: z.string().trim().min(1).max(100).meta({ secret: true }),
})

export const profile = resource('/api/user', {
  get: get('/self', {
    access: 'user',
    input: NoInput,
    response: OwnUser,
    summary: 'The signed-in user',
  }),
  session: get('/session', {
    access: 'optional',
    input: NoInput,
    response: OwnUser.nullable(),
    summary: 'The signed-in user, or null for visitors, with which the console starts',
  }),
  update: put('/self', {
    access: 'user',
    input: ProfilePatch,
    // An e-mail address needs a code.
    unsupported: ['email', 'avatar'],
    response: OwnUser,
    audit: true,
    summary:
      'Changes name, picture or password; a new password ends other sessions and the access token',
  }),
  changeEmail: post('/email', {
    access: 'user',
    input: FreshProof.extend({
      email: RequiredEmail,
      /** The code that was sent to the new address. */
      verification_code: z.string().trim().min(1).max(20).meta({ secret: true }),
    }),
    response: OwnUser,
    limit: 'failures',
    audit: true,
    summary: 'Sets the e-mail address; the old one is told',
  }),
  createAccessToken: post('/token', {
    access: 'user',
    input: FreshProof,
    response: z.string(),
    audit: true,
    summary: 'Creates a new access token for scripts; the old one becomes invalid',
  }),
  prove: post('/proof', {
    access: 'user',
    input: FreshProof,
    response: NoData,
    audit: true,
    summary: 'Shows that it is the user, so that this session may write money for ten minutes',
  }),
  sessions: get('/sessions', {
    access: 'user',
    input: NoInput,
    response: z.array(Session),
    summary: 'Where the caller is signed in, the latest first',
  }),
  endSession: del('/sessions/:session', {
    access: 'user',
    input: z.object({ session: SessionId }),
    response: NoData,
    audit: true,
    summary: 'Signs one browser of the caller out',
  }),
  endOtherSessions: del('/sessions', {
    access: 'user',
    input: NoInput,
    response: NoData,
    audit: true,
    summary: 'Signs the caller out everywhere else',
  }),
  remove: del('/self', {
    access: 'user',
    input: FreshProof,
    response: NoData,
    audit: true,
    summary: 'Deletes the account of the caller; its remaining balance is lost',
  }),
  inviteCode: get('/aff', {
    access: 'user',
    input: NoInput,
    response: z.string(),
    summary: 'The caller’s invite code',
  }),
  invitation: get('/invitation', {
    access: 'user',
    input: NoInput,
    response: Invitation,
    summary: 'The invite code, its number of uses, and the rewards',
  }),
  redeem: post('/topup', {
    access: 'user',
    input: RedeemInput,
    response: z.number(),
    limit: 'failures',
    audit: true,
    summary: 'Redeems a code; returns the added points',
  }),
  rate: get('/dashboard/rate', {
    access: 'user',
    input: NoInput,
    response: z.object({
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
