import type { Price } from '@hub/contract'

/** The ids are the source's; the import gives every row a new one. Money is in points, times are in Unix seconds. */
export type GatewayData = {
  program: string
  groups: ImportedGroup[]
  users: ImportedUser[]
  tokens: ImportedToken[]
  channels: ImportedChannel[]
  /** Undefined: the source used built-in prices, and this gateway uses its own. */
  prices: ImportedPrice[] | undefined
  redemptions: ImportedRedemption[]
  owners: { id: number; name: string; icon: string }[]
  options: { key: string; value: string }[]
  /** Rows that were left out while reading, with the reason. */
  skipped: Skipped[]
  /** Tables of the source that hold data and are not carried, with the reason. */
  left: { table: string; rows: number; reason: string }[]
}

export type ImportedPrice = Pick<
  Price,
  'model' | 'type' | 'channel_type' | 'input' | 'output' | 'locked'
> & { extra_ratios: unknown; note?: string | undefined }

export type Skipped = { table: string; id: number | string; name: string; reason: string }

export type ImportedGroup = {
  symbol: string
  name: string
  ratio: number
  api_rate: number
  public: boolean
  enable: boolean
  promotion: boolean
  min: number
  max: number
}

export type ImportedUser = {
  id: number
  username: string
  /** A bcrypt hash; empty: signs in by a third party only. */
  passwordHash: string
  displayName: string
  email: string
  avatarUrl: string
  role: 1 | 10 | 100
  isEnabled: boolean
  group: string
  /** May be below zero. */
  balance: number
  used: number
  requests: number
  inviteCode: string
  inviterId: number
  /** Empty: none. */
  accessToken: string
  createdAt: number
  lastSignInAt: number
  lastSignInIp: string
  /** `signIn` is the id of a sign-in provider. */
  identities: { signIn: string; subject: string }[]
}

export type ImportedToken = {
  id: number
  userId: number
  name: string
  /** The whole key, as callers send it. */
  key: string
  isEnabled: boolean
  /** -1: never. */
  expiresAt: number
  /** Null: unlimited. */
  remaining: number | null
  used: number
  group: string
  backupGroup: string
  /** A group that charges are counted for. Empty: none. */
  billingTag: string
  /** Empty: all. */
  models: string[]
  /** Addresses and ranges that may use it. Empty: all. */
  addresses: string[]
  createdAt: number
  lastUsedAt: number
}

export type ImportedChannel = {
  id: number
  /** The fields of the contract by name, not checked yet. */
  fields: Record<string, unknown> & { type: number; name: string }
  keys: string[]
  isEnabled: boolean
  /** Says why no channel here can serve as this one did. It is imported disabled. */
  problem?: string | undefined
  /** Names the properties of the channel that are not carried. */
  notes?: string[]
  used: number
  createdAt: number
}

export type ImportedRedemption = {
  id: number
  userId: number
  code: string
  isEnabled: boolean
  name: string
  quota: number
  createdAt: number
  /** -1: never. */
  expiresAt: number
}
