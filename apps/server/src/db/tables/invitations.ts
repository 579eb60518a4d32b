/** How a user came by an invitation, and the points that it brought. */
export type InvitationsTable = {
  /** The invited user. */
  user_id: number
  inviter_id: number
  /** The address of the registration, or the /64 of an IPv6 address. Empty: unknown. */
  address: string
  /** Seconds. */
  created_at: number
  state: 'waiting' | 'given' | 'withheld'
  /** Why it is withheld: `inviter`, `address` or `day` for a cap, `returned` for a refund, `hand`. Else empty. */
  reason: string
  /** Points promised to the invited user at the registration, and those of them that were posted. */
  gift: number
  gift_given: number
  /** Points promised to the inviter at the registration, and those that the inviter has now. */
  reward: number
  reward_given: number
  /** Counts the postings to and from the inviter, so that each has its own source. */
  moves: number
  /** Seconds: the first paid order or redeemed code of the invited user. */
  funded_at: number | null
  /** Seconds: the last change of the state. */
  decided_at: number | null
  /** The administrator who decided; empty: the rules. */
  decided_by: string
}

/** Invitations of a day with a gift or reward, by `inviter:7`, `address:192.0.2.1` or `site`. */
export type InvitationCountsTable = {
  scope: string
  /** Seconds: the begin of the day. */
  day: number
  used: number
}
