import type { Generated } from 'kysely'

/** A target of notifications: one way to reach the administrators or one user. */
export type NotificationTargetsTable = {
  id: Generated<number>
  /** 0: the administrators. */
  user_id: number
  name: string
  /** The id of a notifier. */
  type: string
  /** JSON, encrypted. */
  config_sealed: string
  /** JSON list of event names. */
  events: string
  language: string
  digest: string
  /** `HH:MM` or empty. */
  quiet_from: string
  quiet_to: string
  enabled: number
  /** Unix milliseconds before which nothing is sent to it: the lease of a node that sends, or the rate of the service. */
  next_at_ms: number
  created_at: number
}

/** The outbox: one row per event, target and window. */
export type NotificationsTable = {
  id: Generated<number>
  event: string
  /** Unique together with the target and the window: emitting twice has no effect. */
  event_key: string
  target_id: number
  /** The first second of the window; 0 for events that are not counted. */
  window_at: number
  /** JSON. */
  facts: string
  /** How often it happened in the window. */
  count: number
  state: 'waiting' | 'sent' | 'failed'
  attempts: number
  /** The first row of the message that it is sent with. Null before the first attempt. */
  batch: number | null
  /** When it was first to be sent. */
  due_at: number
  /** Unix seconds before which it is not sent. A lease moves it ahead. */
  run_at: number
  created_at: number
  ended_at: number | null
  failure: string
}
