/** An answer, or a conversation, that is kept for one of our users: by a vendor, or here. */
export type StoredAnswersTable = {
  /** The vendor's own; of what is kept here, ours. */
  id: string
  user_id: number
  /** 0: it is kept here. */
  channel_id: number
  /** A fingerprint: which of the channel's credentials. */
  credential: string
  request_id: number
  /** Seconds. */
  created_at: number
  /** Of what is kept here the bytes that it counts for; null: a vendor has it. */
  size: number | null
  /** The kept answer that this one went on from. */
  previous: string | null
  /** JSON, encrypted: what was asked, and the answer. */
  content_sealed: string | null
}

/** A call that has ended though its answer is still being made: its hold stays open until that is known. */
export type BackgroundCallsTable = {
  request_id: number
  answer_id: string
  user_id: number
  token_id: number
  channel_id: number
  credential: string
  /** The price of its admission. */
  price_id: number
  /** JSON: what its receipt and its log row say. */
  told: string
  attempts: number
  /** Seconds: nobody asks before. Who asks moves it ahead, so that whoever dies over it is not waited for long. */
  run_at: number
  created_at: number
}
