const factor = 4
const allowanceMaxMs = 4_000
/** A slow time is forgotten within a hundred batches. */
const decay = 0.98

/**
 * Knows how long this database takes for a batch. A machine on which every write takes half a second is slow, not away: it
 * gets more time before calls are refused.
 */
export class WritePace {
  #slowestMs = 0
  readonly #usualMs: number

  /** `usualMs` is enough for a database that is not slow. */
  constructor(usualMs: number) {
    this.#usualMs = usualMs
  }

  note(milliseconds: number): void {
    const known = (this.#usualMs + allowanceMaxMs) / factor
    this.#slowestMs = Math.max(Math.min(milliseconds, known), this.#slowestMs * decay)
  }

  /** Milliseconds that a batch may take beyond the usual ones. */
  allowance(): number {
    return Math.max(0, factor * this.#slowestMs - this.#usualMs)
  }
}
