/** Length of the window that the bounds count in. */
const windowMs = 10_000
/** Single rows per window, of the node and of each user. Further errors are merged. */
const rowsMax = 100
const userRowsMax = 20
/** Merged rows per window. Models are the caller's words, so one user may not use up all merged rows. */
const mergedMax = 200
const userModelsMax = 10
/** Rows that wait for a slow database. */
const readyMax = 1_000

export type ErrorKey = { userId: number; code: string; model: string }

/** A failed call, or several that are written as one row. */
export type CollectedError<T> = { error: T; count: number }

type UserCounts = { rows: number; models: number }

/**
 * Collects errors and bounds the rows that are written. Above the bound, a row stands for all errors of a window with
 * one user, code and model, and has their number.
 */
export class ErrorCollector<T> {
  private readonly onDropped: (errors: number) => void
  private window = 0
  private rows = 0
  private readonly users = new Map<number, UserCounts>()
  private readonly merged = new Map<string, CollectedError<T>>()
  private ready: CollectedError<T>[] = []

  constructor(onDropped: (errors: number) => void) {
    this.onDropped = onDropped
  }

  /** `make` runs once per row. Its model is empty where a row stands for several models. */
  add(key: ErrorKey, make: (model: string) => T, now: number) {
    this.startWindow(now)
    const counts = this.countsOf(key.userId)
    if (!this.getsOwnRow(key.userId, now)) this.merge(key, counts, make)
    else {
      this.rows++
      counts.rows++
      this.push({ error: make(key.model), count: 1 })
    }
  }

  /** Says whether the next error of a user gets a row of its own. */
  getsOwnRow(userId: number, now: number): boolean {
    this.startWindow(now)
    return this.rows < rowsMax && (this.users.get(userId)?.rows ?? 0) < userRowsMax
  }

  /** Takes the rows to write: single ones at once, merged ones when their window has ended, or all. */
  take(now: number, all = false): CollectedError<T>[] {
    this.startWindow(now)
    if (all) this.endMerging()
    const taken = this.ready
    this.ready = []
    return taken
  }

  isEmpty(): boolean {
    return this.ready.length === 0 && this.merged.size === 0
  }

  private merge({ userId, code, model }: ErrorKey, counts: UserCounts, make: (model: string) => T) {
    const keyOfModel = JSON.stringify([userId, code, model])
    const keyOfRest = JSON.stringify([userId, code])
    const known = this.merged.get(keyOfModel) ?? this.merged.get(keyOfRest)
    if (known) {
      known.count++
      return
    }
    const isNamed = counts.models < userModelsMax
    if (this.merged.size >= mergedMax) this.onDropped(1)
    else if (isNamed) {
      counts.models++
      this.merged.set(keyOfModel, { error: make(model), count: 1 })
    } else this.merged.set(keyOfRest, { error: make(''), count: 1 })
  }

  private countsOf(userId: number): UserCounts {
    const known = this.users.get(userId)
    if (known) return known
    const counts = { rows: 0, models: 0 }
    this.users.set(userId, counts)
    return counts
  }

  private startWindow(now: number) {
    const window = Math.floor(now / windowMs)
    if (window === this.window) return
    this.window = window
    this.rows = 0
    this.users.clear()
    this.endMerging()
  }

  private endMerging() {
    for (const each of this.merged.values()) this.push(each)
    this.merged.clear()
  }

  private push(row: CollectedError<T>) {
    if (this.ready.length < readyMax) this.ready.push(row)
    else this.onDropped(row.count)
  }
}
