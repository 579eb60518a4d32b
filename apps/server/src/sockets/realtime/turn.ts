import type { IncomingMessage } from 'node:http'
import { Writable } from 'node:stream'
import type { ParsedRequest } from '@hub/dialects'
import type { CallResult, Reservation } from '../../billing/open-hold.ts'
import type { App } from '../../core/app.ts'
import { identify } from '../../relay/auth/identify.ts'
import {
  type CallContext,
  callerIn,
  type RoutingTarget,
  type RunCall,
} from '../../relay/context.ts'
import { admit } from '../../relay/limits/admit.ts'
import { withRequest } from '../../relay/request/with-request.ts'

/** One response of a session: a call with its own hold, charge and log row. It is opened before it begins. */
export type RealtimeTurn = {
  /** Resolves once its quota is reserved; rejects with the refusal. */
  ready: Promise<CallContext>
  /** Charges the result, or releases the hold where there is none. Resolves when that is durable. */
  end(result?: CallResult): Promise<void>
  /** The caller left before the turn was ready. */
  abort(): void
}

export type TurnFields = {
  run: RunCall
  request: IncomingMessage
  parsed: ParsedRequest
  target: RoutingTarget
  reservation: Reservation
  /** Runs after the quota is reserved. */
  begin?: (call: CallContext) => Promise<void>
  /** The upgrade reports a failure, and writes the log row. */
  isReportedByUpgrade?: boolean
}

/** Discards what is written: the events of a session report its errors. */
class NoResponse extends Writable {
  readonly headersSent = false
  readonly socket = null
  readonly chunkedEncoding = false
  writeHead(): void {}
  override _write(_chunk: unknown, _encoding: string, onWritten: () => void): void {
    onWritten()
  }
}

export const openTurn = (app: App, fields: TurnFields): RealtimeTurn => {
  const { run, request, parsed, target, begin } = fields
  // Other turns of the session may hold what this one needs.
  const reservation: Reservation = { ...fields.reservation, isRefusedAtOnce: true }
  const isReportedHere = !begin || fields.isReportedByUpgrade !== true
  const ready = Promise.withResolvers<CallContext>()
  const ending = Promise.withResolvers<CallResult | undefined>()
  const ended = Promise.withResolvers<void>()
  const response = new NoResponse()
  const incoming = { request, response, requestId: String(app.ledger.nextId()) }
  void run(incoming, async (_app, started) => {
    try {
      const identified = await identify(app, started)
      const caller = callerIn(identified.caller, target.group)
      const context = withRequest(app, { ...identified, caller }, parsed)
      {
        await using admission = await admit(app, context)
        await using hold = await admission.reserve(context, reservation)
        const call: CallContext = { ...context, target, virtual: undefined, hold }
        await begin?.(call)
        ready.resolve(call)
        const result = await ending.promise
        context.record.isCharged = result !== undefined
        if (result) await hold.settle(result)
      }
      ended.resolve()
      response.end()
    } catch (error) {
      ready.reject(error)
      ended.reject(error)
      if (isReportedHere) throw error
      response.end()
    }
  })
  // Each is awaited where it matters.
  ready.promise.catch(() => undefined)
  ended.promise.catch(() => undefined)
  return {
    ready: ready.promise,
    end: result => {
      ending.resolve(result)
      return ended.promise
    },
    abort: () => response.destroy(),
  }
}
