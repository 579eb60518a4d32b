import { Fault } from '@hub/contract'
import { type CallerFormat, openaiImages } from '@hub/dialects'
import { objectAt, textOf } from '@hub/providers'
import type { App } from '../../../core/app.ts'
import * as tasks from '../../../db/queries/tasks.ts'
import { identify } from '../../../relay/auth/identify.ts'
import type { RequestContext } from '../../../relay/context.ts'
import { type Route, routeIn, unknown } from '../../../relay/formats/route.ts'
import { runOnceByKey } from '../../../relay/idempotency/run-once.ts'
import { admit } from '../../../relay/limits/admit.ts'
import { readBody } from '../../../relay/request/body.ts'
import { originOf } from '../../../relay/request/origin.ts'
import { writeJson } from '../../../relay/response/write.ts'
import { requireTask, type TaskHandler, taskHandler } from '../../handler.ts'
import { accountOf } from '../../open-output.ts'
import { readLink, sendOutput } from '../../output.ts'
import { submitTask } from '../../submit/submit.ts'
import { askVendor } from '../../vendor-request.ts'
import { parseObject } from '../video/request.ts'
import { receiveNotice } from './notify.ts'
import { presentSubmitted, presentTask, withoutAddresses } from './present.ts'
import { readAddress, readSubmission } from './request.ts'

const submit: TaskHandler = async (app, context, admission) => {
  readAddress(context)
  const identity = await readBody(app, context)
  const body = parseObject(identity)
  await runOnceByKey(app, context, identity, async idempotency => {
    const submission = await readSubmission(app, context, body)
    const row = await submitTask(app, context, { ...submission, admission, idempotency })
    writeJson(context, presentSubmitted(app, row))
  })
}

/** `…/mj/task/:id/…` and `…/mj/image/:id`. */
const idIn = ({ path }: RequestContext): string =>
  /\/mj\/(?:task|image)\/([^/]+)/.exec(path)?.[1] ?? ''

const show: TaskHandler = async (app, context) => {
  readAddress(context)
  const row = await requireTask(app, context, ['midjourney'], idIn(context))
  writeJson(context, presentTask(app, originOf(context), row))
}

const idsMax = 100

const list: TaskHandler = async (app, context) => {
  readAddress(context)
  const { ids = [] } = parseObject(await readBody(app, context))
  if (!Array.isArray(ids) || ids.length > idsMax)
    throw new Fault('request.invalid', { hint: `'ids' must be a list of at most ${idsMax} ids.` })
  const rows = await tasks.listOwned(app.callDb, {
    ...{ userId: context.caller.userId, platform: 'midjourney', order: 'asc', limit: idsMax },
    ids: ids.map(textOf),
  })
  writeJson(
    context,
    rows.map(row => presentTask(app, originOf(context), row)),
  )
}

const seedTimeoutMs = 30_000

/** Asks the proxy, as only Midjourney knows the seed of an image. */
const showSeed: TaskHandler = async (app, context) => {
  readAddress(context)
  const row = await requireTask(app, context, ['midjourney'], idIn(context))
  const account = await accountOf(app, row)
  if (!account || row.upstream_id === '') throw new Fault('stored.unavailable')
  const path = `/mj/task/${encodeURIComponent(row.upstream_id)}/image-seed`
  const { body } = await askVendor(
    app,
    account,
    { method: 'GET', path },
    { timeoutMs: seedTimeoutMs },
  )
  const { code, description, result, properties } = objectAt(body)
  if (!Number.isSafeInteger(code)) throw new Fault('upstream.invalid_response')
  writeJson(context, {
    ...{ code, description: textOf(description), result: textOf(result) },
    properties: withoutAddresses(objectAt(properties)),
  })
}

/** A signed address needs no key; it names one output of one task. */
const sendImage = async (app: App, context: RequestContext): Promise<void> => {
  context.request.resume()
  const id = idIn(context)
  const at = readLink(app, id, new URLSearchParams(context.query))
  if (at !== undefined) {
    const row = await tasks.findPublic(app.callDb, id)
    if (!row) throw new Fault('stored.unknown')
    return sendOutput(app, context, row, { at, showsPreview: true })
  }
  const identified = await identify(app, context)
  await using _admission = await admit(app, identified)
  const row = await requireTask(app, identified, ['midjourney'], id)
  await sendOutput(app, context, row, { showsPreview: true })
}

/** The group is saturated, which the proxies' clients take as a reason to wait. */
const codeBusy = 30
const codeError = 4

/** Errors as clients of Midjourney's proxies read them: `{description, type, code}`. */
const midjourneyFormat: CallerFormat = {
  ...openaiImages,
  encodeFault: info => ({
    status: info.status,
    headers: { 'content-type': 'application/json; charset=utf-8' },
    body: JSON.stringify({
      description: `${info.message} (request id: ${info.requestId})`,
      type: 'one_hub_error',
      code: info.status === 429 ? codeBusy : codeError,
    }),
  }),
}

const route = routeIn(midjourneyFormat)

const routesAt = (prefix: string): Route[] => [
  route('POST', `${prefix}/submit/:action`, 'midjourney-submit', taskHandler(submit)),
  route('POST', `${prefix}/insight-face/swap`, 'midjourney-submit', taskHandler(submit)),
  route('GET', `${prefix}/task/:id/fetch`, 'midjourney-show', taskHandler(show)),
  route('GET', `${prefix}/task/:id/image-seed`, 'midjourney-seed', taskHandler(showSeed)),
  route('POST', `${prefix}/task/list-by-condition`, 'midjourney-list', taskHandler(list)),
  route('GET', `${prefix}/image/:id`, 'midjourney-image', sendImage),
  route('POST', `${prefix}/notify`, 'midjourney-notify', receiveNotice),
  ...unknown(`${prefix}/*`, midjourneyFormat),
]

/**
 * The interface of Midjourney's proxies, at two addresses of which the second names the speed:
 * https://github.com/novicezk/midjourney-proxy/blob/main/docs/api.md
 */
export const midjourneyRoutes: readonly Route[] = ['/mj', '/:mode/mj'].flatMap(routesAt)
