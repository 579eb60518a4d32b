/** A response or conversation stored for a user, by a vendor or by the gateway. */
export type StoredAnswersTable = {
  /** The id given by the vendor, or by the gateway for local responses. */
  id: string
  user_id: number
  /** 0 for local responses. */
  channel_id: number
  /** Fingerprint of the credential that created it. */
  credential: string
  request_id: number
  /** Seconds. */
  created_at: number
  /** Size in bytes of a local response; null if a vendor stores it. */
  size: number | null
  /** The local response that this one continues. */
  previous: string | null
  /** Encrypted JSON of request and response. */
  content_sealed: string | null
  /** 1 while a node makes a local response in the background, until its end is charged; null for others. */
  is_running: number | null
}

/** A background call: the request has ended, and its hold stays open until the response is complete. */
export type BackgroundCallsTable = {
  request_id: number
  answer_id: string
  user_id: number
  token_id: number
  channel_id: number
  credential: string
  /** The price of its admission. */
  price_id: number
  /** JSON of the data for its receipt and log row. */
  receipt_draft: string
  attempts: number
  /** Unix seconds of the next poll. A lease moves it ahead, so that it is retried if the node dies. */
  run_at: number
  created_at: number
  /** Output tokens that callers have read of it so far, at any node. */
  read_tokens: number | null
}

/** A file, batch or other object that a vendor stores for a user. */
export type StoredResourcesTable = {
  /** The id given by the vendor. */
  id: string
  /** The vendor's collection: `files`, `batches`, … */
  kind: string
  user_id: number
  channel_id: number
  /** Fingerprint of the credential that created it. */
  credential: string
  /** The request that created it; orders objects of one second. */
  request_id: number
  /** Seconds. */
  created_at: number
  /** Seconds; null: until it is deleted. */
  expires_at: number | null
  /** The purpose of a file; empty for others. */
  purpose: string
  /** Bytes of a file; 0 for others. */
  size: number
  /** Encrypted JSON of the object as the vendor last showed it. */
  object_sealed: string
  /** Seconds of the next poll of a batch that is not charged yet; null for others. A lease moves it ahead. */
  run_at: number | null
  attempts: number
}
