/** A task that a vendor works on after its request has ended: a video, music, an image. Its hold has its id. */
export type TasksTable = {
  /** The id of the request, its hold and its charge. */
  id: number
  /** The id that callers see. */
  public_id: string
  /** The public interface it came by: `video`, `kling`, `suno`, `midjourney`, … */
  platform: string
  user_id: number
  token_id: number
  channel_id: number
  /** Fingerprint of the credential that submitted it. */
  credential: string
  /** The vendor's id; empty until the vendor has accepted it. */
  upstream_id: string
  action: string
  /** The model that the caller named. */
  model: string
  /** submitting, queued, in_progress, completed, failed or expired. */
  state: string
  /** held, charging, charged, releasing or released. An end is visible once it is settled. */
  settlement: string
  /** Percent. */
  progress: number
  fail_reason: string
  /** 1: the vendor may have it although its submission failed. */
  orphan: number
  /** Points held, and then the points charged. */
  quota: number
  price_id: number
  /** JSON of the data for its receipt and log row. */
  receipt_draft: string
  /** Encrypted JSON: the caller's request, data for polling, and the outputs and data as the vendor last showed them. */
  content_sealed: string
  /** Seconds, as all times. */
  created_at: number
  started_at: number
  finished_at: number
  deadline: number
  /** The next poll; null once there is none. A lease moves it ahead. */
  run_at: number | null
  /** Counts leases: an update by a poller that lost its lease changes nothing. */
  attempts: number
  /** Set when the caller deleted it. */
  deleted_at: number | null
  /** Encrypted JSON: the address that the caller wants to be called, and the origin that it used. Null: none. */
  callback_sealed: string | null
  /** armed until the task ends, waiting, delivered or given_up. Null: the caller was never given the task. */
  callback_state: string | null
  /** The next try; a lease moves it ahead. */
  callback_run_at: number | null
  callback_attempts: number | null
  /** Why the last try failed. */
  callback_failure: string | null
  /** The next try to copy the results; a lease moves it ahead. Null: none are to be copied. */
  copy_run_at: number | null
  copy_attempts: number | null
}

/** A copy of a result of a task. */
export type TaskCopiesTable = {
  task_id: number
  /** The index among the outputs of the task. */
  position: number
  /** The MIME type that its vendor named. */
  type: string
  size: number
  expires_at: number
  /** The address of the object in S3-compatible storage. Null: it lies in the data folder. */
  location: string | null
}

/** An image that its caller reads by a signed address. */
export type StoredImagesTable = {
  /** Random; the name of its file, too. */
  name: string
  /** Whose call made it. */
  user_id: number
  type: string
  size: number
  /** As that of a copy. */
  location: string | null
  expires_at: number
}

/** The pace of polls of one channel, which all nodes share. */
export type TaskPollsTable = {
  channel_id: number
  /** Unix milliseconds before which no node asks this channel's vendor. */
  next_at: number
}
