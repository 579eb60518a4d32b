import { z } from 'zod'
import { get, ListQuery, orderQuery, pageOf, post, resource } from './resource.ts'

/** waiting: the inviter is rewarded later. given: nothing is left to give. withheld: see the reason. */
export const invitationStates = ['waiting', 'given', 'withheld'] as const
const InvitationState = z.enum(invitationStates)

export const ListedInvitation = z.object({
  /** The invited user. */
  user_id: z.number(),
  username: z.string(),
  inviter_id: z.number(),
  inviter_username: z.string(),
  /** The address of the registration, or the /64 of an IPv6 address. Empty: unknown. */
  address: z.string(),
  created_at: z.number(),
  state: InvitationState,
  /**
   * Empty, `inviter`, `address` or `day` for the cap that was reached, `returned` for a payment that was refunded or
   * disputed, `hand` for an administrator's decision.
   */
  reason: z.enum(['', 'inviter', 'address', 'day', 'returned', 'hand']),
  /** Points promised to the invited user, and those that were given. */
  gift: z.number(),
  gift_given: z.number(),
  /** Points promised to the inviter, and those that the inviter has. */
  reward: z.number(),
  reward_given: z.number(),
  /** 0: not decided. */
  decided_at: z.number(),
  /** The administrator who decided; empty: the rules. */
  decided_by: z.string(),
})
export type ListedInvitation = z.output<typeof ListedInvitation>

export const InvitationDecision = z.object({
  /** The id of the invited user. */
  id: z.coerce.number().int().min(1),
  /** The reason, for the audit log. */
  remark: z.string().trim().min(1).max(500),
})

export const invitations = resource('/api/invitation', {
  list: get('/', {
    access: 'admin',
    input: ListQuery.extend({
      state: InvitationState.optional(),
      inviter_id: z.coerce.number().int().optional(),
      address: z.string().trim().max(100).optional(),
      order: orderQuery('user_id', 'inviter_id', 'address', 'state', 'created_at'),
    }),
    response: pageOf(ListedInvitation),
    summary: 'Invited users, with the gifts of their invitations',
  }),
  give: post('/:id/give', {
    access: 'admin',
    input: InvitationDecision,
    response: ListedInvitation,
    summary: 'Gives what the invitation of this user promised and did not give yet',
  }),
  withhold: post('/:id/withhold', {
    access: 'admin',
    input: InvitationDecision,
    response: ListedInvitation,
    summary:
      'Withholds the reward of the inviter; a given one is taken back up to the free balance',
  }),
})
