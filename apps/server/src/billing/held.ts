import type { Usage } from '@hub/dialects'

/** What is to be reserved: the dearest of the models it may be billed as, at the caller's group. */
export type Reservation = {
  /** Names the call may be billed as, one per candidate channel mapping; at least one. */
  models: readonly string[]
  promptTokens: number
  outputMax: number | undefined
  n: number
  stream: boolean
  idempotency?: { keyHash: string; bodyHash: string } | undefined
}

export type Finish = 'complete' | 'caller-left' | 'upstream-broke' | 'cut'

/** How a call ended, for the posting and its log row. */
export type Ending = {
  /** The model it is billed as. */
  model: string
  requestedModel: string
  channelId: number
  usage: Usage
  /** The upstream did not say; the gateway counted. */
  estimated: boolean
  finish: Finish
  stream: boolean
  /** Milliseconds from the request to the first byte for the caller. */
  firstByteMs: number
  /** Things that could not be told to the upstream, or were changed. */
  notes: readonly string[]
  /** What the vendor keeps of it, and by which of its accounts. */
  stored?: { ids: readonly string[]; credential: string } | undefined
}

/** Quota that is reserved for one call. Exactly one of `settle` and `release` takes effect. */
export type Held = {
  readonly id: number
  /** Points reserved, as last extended. */
  amount(): number
  /**
   * Tells what was delivered so far. Cheap enough for every chunk: it looks at the price only when the count moved.
   * `cut`: the reservation is used up and the balance gives no more; end the stream now.
   */
  progress(model: string, delivered: Usage): 'go' | 'cut'
  /** Durable when it resolves: only then may the caller see the end. */
  settle(ending: Ending): Promise<{ charged: number; shortfall: number }>
  /**
   * Leaves the hold open for an answer that is made later: `write` says so durably, before which nothing is changed.
   * From then on `settleLater` ends it, in whatever process.
   */
  leave(model: string, write: (priceId: number) => Promise<void>): Promise<void>
  /** Undefined where there is nothing to wait for: it is settled. */
  release(): Promise<void> | undefined
}
