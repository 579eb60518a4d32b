import type { LimitFields, Price } from '@hub/contract'
import type { SourceId, SourceRow } from './sources/source-database.ts'

export type { SourceId }

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
  modelInfo: ImportedModelInfo[]
  gateways: ImportedGateway[]
  /** Commands of the bot by the names of the contract, not checked yet. */
  menus: {
    id: SourceId
    command: string
    description: string
    parse_mode: string
    reply_message: string
  }[]
  options: { key: string; value: string }[]
  /** Rows that were left out while reading, with the reason. */
  skipped: Skipped[]
  /** Values that cannot be carried as they are, by row. */
  changes: ImportDifference[]
  /** Tables of the past, which are carried if they are asked for. */
  history: HistoryTable[]
  /** Tables of the source that hold data and are not carried, with the reason. */
  left: { table: string; rows: number; reason: string }[]
}

export type HistoryKind = 'topUp' | 'consume' | 'manage' | 'system' | 'order'

/** A call, a top-up, a change or an order of the past. It changes no balance. */
export type HistoryRow = {
  id: SourceId
  kind: HistoryKind
  userId: SourceId
  createdAt: number
  content: string
  username: string
  tokenName: string
  modelName: string
  quota: number
  promptTokens: number
  completionTokens: number
  channelId: SourceId
  milliseconds: number
  isStream: boolean
  ip: string
  /** Prices and counts of a call have the names that they have in the log rows of this gateway. */
  metadata: Record<string, string | number>
}

/** Rows are read in pages by their id. `read` returns undefined for a row that has no meaning here. */
export type HistoryTable = {
  table: 'logs' | 'orders' | 'top_ups'
  /** The column of the time that `read` takes. */
  timeColumn: 'created_at' | 'create_time'
  read(row: SourceRow): HistoryRow | undefined
}

export type ImportedPrice = Pick<
  Price,
  'model' | 'type' | 'channel_type' | 'input' | 'output' | 'locked'
> & {
  extra_ratios: unknown
  tiers?: unknown
  tool_prices?: unknown
  note?: string | undefined
}

export type ImportedModelInfo = {
  id: number
  model: string
  /** The other fields of the contract by name, not checked yet. */
  fields: Record<string, unknown>
  createdAt: number
  updatedAt: number
}

/** A fact of a carried row that differs from the source, and why. */
export type ImportDifference = { table: string; id: SourceId; name: string; change: string }

export type Skipped = { table: string; id: SourceId; name: string; reason: string }

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
  /** Limits in addition to `api_rate`. Absent: none. */
  limits?: Partial<LimitFields>
}

export type ImportedUser = {
  id: SourceId
  username: string
  /** A bcrypt hash. Empty: no password works until a new one is set. */
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
  /** 0: none. */
  inviterId: SourceId
  /** Empty: none. */
  accessToken: string
  createdAt: number
  lastSignInAt: number
  lastSignInIp: string
  /** `signIn` is the id of a sign-in provider. */
  identities: { signIn: string; subject: string }[]
  /** Says what differs from the source. */
  notes?: string[]
}

/** The whole key, as callers send it, or its SHA-256 in hex where the source has nothing else. */
export type ImportedKey = { plain: string } | { sha256: string; masked: string }

export type ImportedToken = {
  id: SourceId
  userId: SourceId
  name: string
  key: ImportedKey
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
  /** Absent: none. */
  limits?: Partial<LimitFields> & { api_rate?: number | null }
  /** Names the properties of the key that are not carried. */
  notes?: string[]
}

export type DisabledKey = {
  key: string
  /** 2: by a person, 3: by the gateway. */
  status: 2 | 3
  reason: string
  /** Unix seconds; 0: unknown. */
  at: number
}

export type ImportedChannel = {
  id: SourceId
  /** The fields of the contract by name, not checked yet. */
  fields: Record<string, unknown> & { type: number; name: string }
  keys: string[]
  /** Those of the keys that are not used. */
  disabledKeys?: DisabledKey[]
  isEnabled: boolean
  /** Says why no channel here can serve as this one did. It is imported disabled. */
  problem?: string | undefined
  /** Names the properties of the channel that are not carried. */
  notes?: string[]
  used: number
  createdAt: number
}

/** An account of the operator at a payment vendor. */
export type ImportedGateway = {
  /** Its table in the report. */
  table: string
  id: SourceId
  /** Part of the notify address. Empty: a new one. */
  uuid: string
  /** The fields of the contract by name, without the configuration, not checked yet. */
  fields: Record<string, unknown>
  config: unknown
  isEnabled: boolean
  /** Says what an administrator must do first. It is imported disabled. */
  problem?: string
  createdAt: number
}

export type ImportedRedemption = {
  id: SourceId
  userId: SourceId
  code: string
  isEnabled: boolean
  name: string
  quota: number
  createdAt: number
  /** -1: never. */
  expiresAt: number
}
