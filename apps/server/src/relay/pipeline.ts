import type { ParsedRequest } from '@hub/dialects'
import type { OpenHold } from '../billing/open-hold.ts'
import { withHold } from '../billing/with-hold.ts'
import type { App } from '../core/app.ts'
import { attemptChannel } from './attempt.ts'
import { identify } from './auth/identify.ts'
import type { AuthenticatedContext, CallContext, RequestContext, RoutingTarget } from './context.ts'
import { withEarlyPings } from './early-pings.ts'
import type { Handler } from './handler.ts'
import { withIdempotency } from './idempotency.ts'
import { checkModelAllowed, type LimitedCall, withAdmission } from './limits/admit.ts'
import type { Operation } from './operations/operation.ts'
import { readRequest } from './request/read-request.ts'
import { retry } from './routing/retry.ts'

/** Creates the handler of a charged operation. */
export const createCallHandler =
  (operation: Operation): Handler =>
  async (app, request) => {
    const context = await identify(app, request)
    await withAdmission(app, context, limited => runCall(app, context, { operation, limited }))
  }

type CallSteps = { operation: Operation; limited: LimitedCall }

/** Read, resolve the target, reserve, try channels until one answers. Each answer settles its hold before its end. */
const runCall = async (
  app: App,
  context: AuthenticatedContext,
  { operation, limited }: CallSteps,
): Promise<void> => {
  const { body, identity } = await readRequest(app, context, operation.forms)
  const parsed = operation.read(context, body)
  context.parsed = parsed
  checkModelAllowed(context.token, parsed.model)
  await withIdempotency(app, context, identity, async idempotency => {
    const resolved = await operation.resolveTarget(app, context, parsed)
    const reservation = { ...operation.reservation(resolved), idempotency }
    await limited(context, reservation, trackUsage =>
      withHold(app, context, reservation, hold => {
        const call = makeCall(context, { ...resolved, hold: trackUsage(hold) })
        return withEarlyPings(app, call, () =>
          retry(app, call, channel => attemptChannel(app, call, operation, channel)),
        )
      }),
    )
  })
}

type CallFields = { parsed: ParsedRequest; target: RoutingTarget; hold: OpenHold }

const makeCall = (context: RequestContext, { parsed, target, hold }: CallFields): CallContext => {
  context.parsed = parsed
  context.target = target
  context.hold = hold
  return context as CallContext
}
