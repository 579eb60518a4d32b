import type { Generated } from 'kysely'

export type RedemptionsTable = {
  id: Generated<number>
  /** The administrator who created the code. */
  user_id: number
  /** Keyed hash of the code, used for lookup. */
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
  /** Deleted codes stay, because postings refer to them. */
  deleted_at: number | null
}
