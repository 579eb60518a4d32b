import type { HoldObserver } from '../billing/open-hold.ts'
import type { App } from '../core/app.ts'
import { attemptChannel, openerOf } from './attempt.ts'
import { identify } from './auth/identify.ts'
import type { CallContext, ReadContext, RequestContext } from './context.ts'
import type { Handler } from './handler.ts'
import { type Idempotency, runOnce } from './idempotency/run-once.ts'
import { type Admission, admit, checkModelAllowed } from './limits/admit.ts'
import { runInBackground } from './local-responses/background.ts'
import { cutEffort } from './operations/effort-name.ts'
import type { Operation } from './operations/operation.ts'
import { limitAnswer, planCall } from './plan-call.ts'
import { readBody } from './request/body.ts'
import { checkContent } from './request/content-check.ts'
import { formAsJson } from './request/form-json.ts'
import { isForm, readForm } from './request/read-form.ts'
import { withRequest } from './request/with-request.ts'
import { startEarlyPings } from './response/early-pings.ts'
import { answerOnce } from './response-cache/answer-once.ts'
import { cacheKeyOf } from './response-cache/cache-key.ts'
import { tryChannels } from './tries/try-channels.ts'
import type { CallPlan } from './virtual-models/resolve.ts'

/** Creates the handler of a charged operation. */
export const createCallHandler =
  (operation: Operation): Handler =>
  (app, request) =>
    runCall(app, request, operation)

/** Admit, read, plan, reserve, try channels until one answers. Each answer settles its hold before its end. */
const runCall = async (app: App, request: RequestContext, operation: Operation): Promise<void> => {
  const identified = await identify(app, request)
  await using admission = await admit(app, identified)
  const { body, identity } = await readRequest(app, identified, operation.forms)
  const read = operation.read(identified, body)
  const { EffortByNameEnabled } = app.settings().relay
  const parsed = EffortByNameEnabled ? await cutEffort(app, identified, operation, read) : read
  const context = withRequest(app, identified, parsed)
  if (parsed !== read) context.record.requestedModel = read.model
  checkModelAllowed(context.token, context.parsed.model)
  if (app.settings().safety.EnableSafe) checkContent(app, context, context.parsed)
  const call = { context, operation, admission }
  const key = context.request.headers['idempotency-key']
  if (key === undefined) return await planAndServe(app, call)
  await runOnce(app, context, { key, body: identity }, idempotency =>
    planAndServe(app, { ...call, idempotency }),
  )
}

type AdmittedCall = {
  context: ReadContext
  operation: Operation
  admission: Admission
  idempotency?: Idempotency
}

/** Serves the call, or answers it from the response cache where its token uses that. */
const planAndServe = async (app: App, call: AdmittedCall): Promise<void> => {
  const { context, operation, idempotency } = call
  const plan = await planCall(app, context, operation)
  const key = context.token.usesResponseCache ? cacheKeyOf(app, context, plan) : undefined
  if (key === undefined) return serve(app, call, plan)
  await answerOnce(app, context, { key, plan, idempotency }, observer =>
    serve(app, call, plan, observer),
  )
}

/** Reserves what the call may cost, and asks the channels of its targets until one answers, here or in the background. */
const serve = async (
  app: App,
  { context, operation, admission, idempotency }: AdmittedCall,
  plan: CallPlan,
  observer?: HoldObserver,
): Promise<void> => {
  const { caller } = plan.targets[0]!
  const payer = caller === context.caller ? context : { ...context, caller }
  await using hold = await admission.reserve(payer, { ...plan.reservation, idempotency })
  if (observer) hold.observe(observer)
  const targets = limitAnswer(context.dialect, plan.targets, hold.outputLimit)
  const first = targets[0]!
  const { background } = first.target
  const held = {
    ...{ context, hold, endpoints: operation.endpoints },
    // Another target makes the response where the first one began it: here, or at its vendor.
    targets: targets.filter(each => each.target.background === background),
  }
  const { HedgedStartEnabled } = app.settings().retry
  const mayHedge = HedgedStartEnabled && operation.canHedge?.(first)
  const run = async () => {
    using _pings = startEarlyPings(app, context, first.parsed)
    await tryChannels(app, held, {
      attempt: (call, account, canTryAnother) =>
        attemptChannel(app, call, operation, { ...account, canTryAnother }),
      open: mayHedge ? openerOf(app, operation) : undefined,
    })
  }
  if (!background) return await run()
  const call: CallContext = { ...context, ...first, virtual: first.virtual, hold }
  await runInBackground(app, call, background, run)
}

/** Enough for the largest files that vendors document: 100 MB of audio, and several images of 50 MB. */
const formMax = 128 * 1024 * 1024

type RequestBody = {
  body: Buffer
  /** Equal for retries of the same request. */
  identity: Buffer
}

/** Reads the body of an operation. Where it is a form, the context has it, and its fields are returned as JSON. */
const readRequest = async (
  app: App,
  context: RequestContext,
  forms: 'accepted' | 'required' | undefined,
): Promise<RequestBody> => {
  const canBeForm = forms !== undefined && isForm(context.request.headers['content-type'])
  if (!canBeForm && forms !== 'required') {
    const body = await readBody(app, context)
    return { body, identity: body }
  }
  const form = await readForm(app, context, formMax)
  return { body: formAsJson(form), identity: Buffer.from(form.digest) }
}
