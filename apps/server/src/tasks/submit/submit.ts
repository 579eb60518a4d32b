import { randomBytes } from 'node:crypto'
import { Fault } from '@hub/contract'
import { noUsage, type ParsedRequest } from '@hub/dialects'
import type { JsonObject, RefusedTask, TaskAdapter, TaskReport } from '@hub/providers'
import { openHold } from '../../billing/calls/submit-hold.ts'
import type { OpenHold, Reservation } from '../../billing/open-hold.ts'
import type { App } from '../../core/app.ts'
import { nowSeconds } from '../../core/app.ts'
import * as tasks from '../../db/queries/tasks.ts'
import { failpoint } from '../../lib/failpoint.ts'
import type { Channel } from '../../relay/channels/channel.ts'
import type { ChannelKey } from '../../relay/channels/keys.ts'
import type { AuthenticatedContext, CallContext } from '../../relay/context.ts'
import type { Admission } from '../../relay/limits/admit.ts'
import { withRequest } from '../../relay/request/with-request.ts'
import type { HeldCall } from '../../relay/tries/call-attempts.ts'
import { tryChannels } from '../../relay/tries/try-channels.ts'
import { classifyFailure, type ErrorClassification } from '../../relay/upstream/classify-error.ts'
import { callerHeaders } from '../../relay/upstream/headers.ts'
import { scrub } from '../../relay/upstream/scrub.ts'
import { classifyUpstreamError, type ErrorSource } from '../../relay/upstream/upstream-error.ts'
import { sealContent } from '../content.ts'
import { giveBack, settleAgainSeconds, settleTask, type TaskDraft } from '../settle.ts'
import { askVendor, checkTaskRequest } from '../vendor-request.ts'
import { sealCallback, type TaskCallback } from './callback-address.ts'
import { type ChannelPlan, resolveTask, type TaskCriteria, type TaskTarget } from './candidates.ts'
import type { TaskPrice } from './pricing.ts'

/** A submission without an answer for this long is given up; longer than one may last. */
export const submitLeaseSeconds = 120
const submitTimeoutMs = 90_000
const firstPollSeconds = 2

type TaskFallback = { code: string; criteria: TaskCriteria }

export type NewTask = TaskCriteria & {
  /** Absent: `task_` and 32 characters. */
  publicId?: string
  /** The fields of the request that answers repeat; absent for all of them. */
  shownRequest?: JsonObject
  /** Asked for instead, once, where every vendor refused the task with this code. */
  fallback?: TaskFallback | undefined
  /** The address that is called once the task has ended. */
  callback?: TaskCallback | undefined
  admission: Admission
  idempotency?: Reservation['idempotency']
}

/**
 * Submits a task: its hold and its row are durable before a vendor is asked, and its id at the vendor before the caller
 * is answered. Throws the refusal of the last channel; the hold is released then.
 */
export const submitTask = async (
  app: App,
  identified: AuthenticatedContext,
  task: NewTask,
): Promise<tasks.TaskRow> => {
  const target = await resolveTask(app, identified, task)
  const context = { ...identified, caller: target.caller }
  const { price, model, usage, points } = target.mostExpensive
  const reservation: Reservation = {
    ...{ models: [model], promptTokens: 0, outputMax: 0, n: 1, stream: false, usage },
  }
  const quote = { amount: points, models: [model], prices: [price], mostExpensive: price }
  await using hold = await task.admission.open(context, reservation, () =>
    openHold(app, context, quote, task.idempotency),
  )
  await hold.detach(model, () => tasks.add(app.callDb, newRow(app, context, task, target)))
  failpoint('task held')
  await submitOrGiveBack(app, context, { task, target, hold })
  const row = await tasks.find(app.callDb, context.id)
  if (!row) throw new Fault('server.failed', { detail: 'a submitted task is gone' })
  return row
}

const newRow = (
  app: App,
  context: AuthenticatedContext,
  { request, publicId, callback }: NewTask,
  { model, mostExpensive }: TaskTarget,
): tasks.TaskRow => {
  const now = nowSeconds(app)
  const { id, caller } = context
  const prompt = request.video?.prompt ?? ''
  const content = { prompt, upstreamModel: '', request: {}, state: {}, outputs: [], data: {} }
  return {
    id,
    public_id: publicId ?? `task_${randomBytes(16).toString('hex')}`,
    platform: request.api,
    user_id: caller.userId,
    token_id: caller.tokenId,
    ...{ channel_id: 0, credential: '', upstream_id: '', action: request.action, model },
    ...{ state: 'submitting', settlement: 'held', progress: 0, fail_reason: '', orphan: 0 },
    ...pricedFields(context, model, mostExpensive),
    content_sealed: sealContent(app, id, content),
    ...{
      created_at: now,
      started_at: 0,
      finished_at: 0,
      deadline: now + app.settings().tasks.TaskDeadlineMinutes * 60,
    },
    ...{ run_at: now + submitLeaseSeconds, attempts: 0, deleted_at: null },
    callback_sealed: callback ? sealCallback(app, id, callback) : null,
    ...{ copy_run_at: null, copy_attempts: 0 },
    ...{ callback_state: null, callback_run_at: null, callback_attempts: 0, callback_failure: '' },
  }
}

const pricedFields = (
  { ip, caller, upstream: { headersNotPassed } }: AuthenticatedContext,
  requestedModel: string,
  { price, model, usage, points }: TaskPrice,
) => {
  const { username, tokenName, group } = caller
  const billingTag = caller.billingTag || undefined
  const names = { username, tokenName, group, billingTag }
  const draft: TaskDraft = { ip, ...names, model, requestedModel, usage, headersNotPassed }
  return { quota: points, price_id: price.priceId, receipt_draft: JSON.stringify(draft) }
}

type Submission = { task: NewTask; target: TaskTarget; hold: OpenHold }

const submitOrGiveBack = async (
  app: App,
  context: AuthenticatedContext,
  submission: Submission,
): Promise<void> => {
  let isOrphan = false
  const submitTo = async ({ task, target, hold }: Submission) => {
    let refusedCode: string | undefined
    try {
      await tryChannels(app, heldCall(app, context, target, hold), {
        attempt: async (call, account) => {
          const result = await attempt(app, call, { ...account, target, task })
          isOrphan ||= result?.mayBeAccepted === true
          refusedCode = result?.refusedCode
          return result
        },
      })
    } catch (error) {
      const { fallback } = task
      const next = fallback?.code === refusedCode && fallback?.criteria
      const other = next && (await resolveFallback(app, context, next, target))
      if (!other) throw error
      await submitTo({ task: { ...task, ...next, fallback: undefined }, target: other, hold })
    }
  }
  try {
    await submitTo(submission)
  } catch (error) {
    const row = await tasks.find(app.callDb, context.id)
    const reason = error instanceof Fault ? error.message : 'the gateway failed'
    if (row) await giveBack(app, row, { state: 'failed', reason, orphan: isOrphan })
    throw error
  }
}

/** The channels of another form of the task, which must be paid by what is held. Undefined: there are none. */
const resolveFallback = async (
  app: App,
  context: AuthenticatedContext,
  ...[criteria, { mostExpensive }]: [TaskCriteria, TaskTarget]
): Promise<TaskTarget | undefined> => {
  try {
    const target = await resolveTask(app, context, criteria)
    return target.mostExpensive.points <= mostExpensive.points ? target : undefined
  } catch (error) {
    if (error instanceof Fault) return undefined
    throw error
  }
}

/** The parts of a request that routing reads. */
const heldCall = (
  app: App,
  identified: AuthenticatedContext,
  { model, caller, candidates, key }: TaskTarget,
  hold: OpenHold,
): HeldCall => {
  const parsed: ParsedRequest = {
    ...{ model, stream: false, outputMax: undefined, n: 1, hasTools: false, wantsUsage: false },
    ...{ promptTokens: 0, fieldRanges: new Map(), body: Buffer.alloc(0) },
  }
  const context = withRequest(app, identified, parsed)
  const target = { group: caller.group, candidates, ...(key && { key }) }
  return { context, targets: [{ parsed, target, caller }], hold }
}

type AttemptTarget = { channel: Channel; key: ChannelKey; target: TaskTarget; task: NewTask }
/** `mayBeAccepted`: the vendor's answer is missing, so that no other channel may be asked. */
type Refusal = ErrorClassification & { mayBeAccepted?: true; refusedCode?: string }

const attempt = async (
  app: App,
  context: CallContext,
  { channel, key, target, task }: AttemptTarget,
): Promise<Refusal | undefined> => {
  const plan = target.plans.get(channel.id)!
  const adapter = channel.provider.tasks!
  context.upstream.provider = channel.provider.id
  // A task is written in its vendor's own format.
  const passed = callerHeaders(app, context, channel, 'translated')
  const mayContinue = await tasks.beginAttempt(app.callDb, context.id, {
    ...pricedFields(context, target.model, plan.quote),
    channel_id: channel.id,
    credential: key.fingerprint,
    action: plan.action,
    run_at: nowSeconds(app) + submitLeaseSeconds,
  })
  if (!mayContinue) throw new Fault('upstream.timeout', { detail: 'given up before it was sent' })
  failpoint('task submitting')
  return send(app, context, { channel, key, plan, adapter, task, passed })
}

type Sending = {
  channel: Channel
  key: ChannelKey
  plan: ChannelPlan
  adapter: TaskAdapter
  task: NewTask
  /** The caller's headers that leave with it. */
  passed: string[]
}

const send = async (
  app: App,
  context: CallContext,
  { channel, key, plan, adapter, task, passed }: Sending,
): Promise<Refusal | undefined> => {
  const { credential } = key
  const account = { channel, credential, model: plan.upstreamModel }
  let isSent = false
  const onUnanswered = (wasSent: boolean) => {
    isSent = wasSent
  }
  let answer: Awaited<ReturnType<typeof askVendor>>
  checkTaskRequest(channel, plan.request.body)
  try {
    const options = { timeoutMs: submitTimeoutMs, passed, onUnanswered }
    answer = await askVendor(app, account, plan.request, options)
  } catch (error) {
    if (!(error instanceof Fault)) throw error
    return unanswered(app, error, isSent)
  }
  const result = adapter.readSubmit(answer.status, answer.body)
  if (!result) {
    const detail = `status ${answer.status}`
    const isFailure = answer.status >= 400
    const fault = new Fault(isFailure ? 'upstream.failed' : 'upstream.invalid_response', { detail })
    return isFailure ? classifyFailure(fault, cooldownSeconds(app)) : unanswered(app, fault, true)
  }
  if (!result.accepted) {
    const requestBody = Buffer.from(JSON.stringify(plan.request.body ?? {}))
    const source = { requestBody, dialect: context.dialect, channel, credential }
    return { ...refusalOf(app, source, result), refusedCode: result.code }
  }
  failpoint('task accepted')
  const content = {
    prompt: plan.prompt,
    upstreamModel: plan.upstreamModel,
    request: task.shownRequest ?? (task.request.video ? requestOf(task) : task.request.body),
    state: plan.state,
    outputs: result.report?.outputs ?? [],
    data: result.data,
  }
  const accepted = {
    upstream_id: result.upstreamId,
    content_sealed: sealContent(app, context.id, content),
    ...acceptedState(app, result.report),
  }
  if (!(await tasks.accept(app.callDb, context.id, accepted))) {
    await tasks.markOrphan(app.callDb, context.id, result.upstreamId)
    throw new Fault('upstream.timeout', { detail: 'accepted after it was given up' })
  }
  failpoint('task stored')
  if (accepted.settlement === 'charging') await settleSubmitted(app, context.id)
  return undefined
}

const refusalOf = (
  app: App,
  source: ErrorSource,
  { status, code, message, answer }: RefusedTask,
): ErrorClassification => {
  const body = Buffer.from(JSON.stringify({ error: { message, code, type: '' } }))
  const error = classifyUpstreamError(app, source, { body, status })
  if (!answer || error.refusedCredential !== undefined) return error
  const type = 'application/json; charset=utf-8'
  const shown = scrub(Buffer.from(JSON.stringify(answer.body)), source)
  return { ...error, upstreamResponse: { status: answer.status, type, body: shown } }
}

/** A task may be complete with its acceptance; then nobody polls it, and its charge is decided in the same statement. */
const acceptedState = (app: App, report: TaskReport | undefined) => {
  const now = nowSeconds(app)
  if (report?.state !== 'completed')
    return { state: 'queued', settlement: 'held', run_at: now + firstPollSeconds }
  return {
    ...{ state: 'completed', settlement: 'charging', progress: 100 },
    ...{ started_at: now, finished_at: now, run_at: now + settleAgainSeconds },
  }
}

const settleSubmitted = async (app: App, id: number): Promise<void> => {
  const row = await tasks.find(app.callDb, id)
  if (row) await settleTask(app, row)
}

const requestOf = ({ request: { video } }: NewTask) => {
  const { seconds, width, height } = video!
  return { seconds, width, height }
}

const cooldownSeconds = (app: App): number => app.settings().retry.RetryCooldownSeconds

/** An upstream that was not sent the whole request has no task; after that it may. */
const unanswered = (app: App, fault: Fault, isSent: boolean): Refusal => {
  const error = classifyFailure(fault, cooldownSeconds(app))
  return isSent ? { ...error, canRetry: false, mayBeAccepted: true } : error
}

/** The usage of a task that turned out to have used this many tokens. */
export const withTokens = (draft: TaskDraft, tokens: number | undefined): TaskDraft =>
  tokens === undefined || draft.usage.output === 0
    ? draft
    : { ...draft, usage: { ...noUsage(), output: tokens } }
