import type { Generated } from 'kysely'

export type RedemptionsTable = {
  id: Generated<number>
  /** Who made it. */
  user_id: number
  /** Keyed hash of the code: how it is found. */
  key_hash: string
  /** The code, encrypted: administrators hand it out. */
  key_sealed: string
  /** 1 enabled, 2 disabled, 3 used. Expired follows from `expires_at`. */
  status: number
  name: string
  quota: number
  created_time: number
  /** Seconds; 0 while it is not used. */
  redeemed_time: number
  /** 0 while it is not used. */
  used_user_id: number
  /** Seconds; -1 never. */
  expires_at: number
  /** A deleted code stays: its posting refers to it. */
  deleted_at: number | null
}

/** Work that was promised and survives a restart. */
export type QueuedTable = {
  id: Generated<number>
  job: string
  /** Unique together with the job: asking twice is asking once, also after it was done. */
  key: string
  /** JSON, encrypted; empty once it ended. */
  payload_sealed: string
  state: 'waiting' | 'done' | 'failed'
  attempts: number
  /** Seconds: not before this. Taking it moves it ahead, so that whoever dies over it is not waited for long. */
  run_at: number
  created_at: number
  ended_at: number | null
  /** Why the last attempt failed. */
  failure: string
}

/** Who was told that their quota ends: once per crossing. */
export type RemindersTable = {
  user_id: number
  /** 0 nothing since the balance was last above the threshold, 1 that it is low, 2 that it is used up. */
  told: number
  /** How often the balance came back above the threshold. */
  crossing: number
}
