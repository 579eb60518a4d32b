import type { App } from '../../../core/app.ts'
import { appScoped } from '../../../core/app-scoped.ts'
import type { SettleOperation, VoidOperation } from '../../../db/operations.ts'

/** An open hold of a call in this process. */
export type LiveHold = {
  /** The end of a call that the ledger writer refused. The sweep submits it again until it is durable. */
  readonly unsettled?: SettleOperation | VoidOperation
}

/** The value for all holds without an unsettled charge, shared to save an allocation per call. */
export const unsettledNothing: LiveHold = Object.freeze({})

/** Open holds of this process by id. A hold of this process that is open in the database but missing here is a leak. */
export const liveHolds: (app: App) => Map<number, LiveHold> = appScoped(() => new Map())
