import type { App } from '../../core/app.ts'
import { perApp } from '../../core/per-app.ts'
import type { SettleOperation } from '../../db/operations.ts'

/** A call of this process whose hold is open. */
export type LiveHold = {
  /** A charge that the writer refused to take: the sweep offers it again until it is durable. */
  readonly unsettled?: SettleOperation
}

/** A hold with nothing to remember: one object for all of them. */
export const running: LiveHold = Object.freeze({})

/** Every hold this process answers for, by id. What is open in the database and not here is a leak. */
export const liveHolds: (app: App) => Map<number, LiveHold> = perApp(() => new Map())
