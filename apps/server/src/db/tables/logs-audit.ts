import type { Generated } from 'kysely'

export type LogsTable = {
  id: number
  user_id: number
  created_at: number
  type: number
  content: string
  username: string
  token_name: string
  model_name: string
  quota: number
  prompt_tokens: number
  completion_tokens: number
  channel_id: number
  request_time: number
  is_stream: number
  source_ip: string
  /** JSON object. */
  metadata: string
}

export type AuditTable = {
  id: Generated<number>
  at: number
  actor_id: number
  actor_name: string
  action: string
  target: string
  /** JSON object, secrets as fingerprints. */
  input: string
  outcome: string
  source_ip: string
  request_id: string
  /** SHA-256 over the hash before it and this row: a changed or missing row shows. */
  hash: string
}
