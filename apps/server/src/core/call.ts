import type { TokenSetting } from '@hub/contract'

/** The user and the token that a relayed request is made with. */
export type Caller = {
  userId: number
  username: string
  role: number
  /** The user's own group. */
  userGroup: string
  tokenId: number
  tokenName: string
  /** The group that selects prices and channels: the token's, or else the user's. */
  group: string
  /** Serves where no channel of `group` lists the model, or all that were tried failed. Empty: none. */
  backupGroup: string
  /** The group that charges are counted for. Empty: the group that they are made in. */
  billingTag: string
  setting: TokenSetting
}

/** By what the waits of a call end. */
export type CallAbort = {
  /** Why the call ends before its answer; undefined while it goes on. */
  readonly reason: string | undefined
  /** Cancels the current wait. */
  onAbort: ((reason: never) => void) | undefined
}

/** One relayed request, as billing and the relay see it. */
export type Call = {
  /** The ledger's id for this request: epoch * 2^32 + n. */
  id: number
  caller: Caller
  ip: string
  /** Monotonic milliseconds. */
  startedAt: number
  /** The key of the session that the client names. It is the client's own word. */
  session?: string | undefined
  /** An administrator's token may end in `#id`, which forces a channel, or `#!id`, which excludes one. */
  forcedChannel?: { only?: number; except?: number } | undefined
  /** Absent: nobody waits for the call. */
  abort?: CallAbort
}
