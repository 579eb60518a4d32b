import type { TokenSetting } from '@hub/contract'

/** One request's context: who calls, with which token, from where. */
export type Caller = {
  userId: number
  username: string
  role: number
  /** The user's own group. */
  userGroup: string
  tokenId: number
  tokenName: string
  /** The group that prices and channels go by: the token's, or else the user's. */
  group: string
  setting: TokenSetting
}

export type Call = {
  /** The ledger's id for this request: epoch * 2^32 + n. */
  id: number
  caller: Caller
  ip: string
  /** Monotonic milliseconds. */
  startedAt: number
  /** A channel an administrator asked for by `#id`, or one to leave out by `#!id`. */
  pin?: { only?: number; except?: number } | undefined
}
