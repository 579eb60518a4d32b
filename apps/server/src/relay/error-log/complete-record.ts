import { Fault } from '@hub/contract'
import { readFieldRanges } from '@hub/dialects'
import type { App } from '../../core/app.ts'
import { identify } from '../auth/identify.ts'
import type { RequestContext } from '../context.ts'
import { readBody } from '../request/body.ts'
import type { Form } from '../request/form.ts'
import { isForm, readForm } from '../request/read-form.ts'
import { errorLog } from './error-log.ts'

/** A refused request whose body is larger is not read for its log row. */
const unreadMax = 1024 * 1024

/** Finds the owner and the model of a call that failed before its key or its request was read, for its log row. */
export const completeRecord = async (
  app: App,
  context: RequestContext,
  error: unknown,
): Promise<void> => {
  const { record, abort } = context
  if (abort.reason !== undefined) return
  const isUnknown = error instanceof Fault && error.code === 'caller.unknown'
  if (!record.caller && !isUnknown) await findCaller(app, context)
  if (record.caller && record.requestedModel === undefined) await findModel(app, context)
}

/** A key that is refused has its owner too; the call has failed already, for a reason that comes first. */
const findCaller = async (app: App, context: RequestContext): Promise<void> => {
  try {
    await identify(app, context)
  } catch {}
}

/**
 * Looks at the path, the query and the body. A body that nobody has read yet is read now, unless it is large or the row
 * is merged with others anyway.
 */
const findModel = async (app: App, context: RequestContext): Promise<void> => {
  const { record, pathParams, query } = context
  record.requestedModel =
    pathParams?.model ??
    new URLSearchParams(query).get('model') ??
    modelOfForm(context.body.form) ??
    modelOfBody(await bodyOf(app, context)) ??
    modelOfForm(context.body.form)
}

/** The body that was read, or that is small enough to read; its form is in the context. */
const bodyOf = async (app: App, context: RequestContext): Promise<Buffer | undefined> => {
  const { body, request, record } = context
  const read = body.received ?? body.whole
  if (read || body.form) return read
  // A listener for data exists where reading began.
  const isUntouched = request.readableFlowing === null && !request.destroyed
  const size = Number(request.headers['content-length'] ?? 0)
  if (!isUntouched || !(size > 0 && size <= unreadMax)) return undefined
  if (!app.accepting() || !errorLog(app).getsOwnRow(record.caller!.userId)) return undefined
  try {
    if (!isForm(request.headers['content-type'])) return await readBody(app, context)
    await readForm(app, context, unreadMax)
  } catch {
    // The call has failed already, for a reason that says more.
  }
  return undefined
}

/** The field of OpenAI's formats, of Kling's and of Suno's. */
const modelFields = ['model', 'model_name', 'mv']

const modelOfBody = (body: Buffer | undefined): string | undefined => {
  if (!body) return undefined
  const read = readFieldRanges(body, 0, body.length, [])
  if (!read.ok) return undefined
  for (const name of modelFields) {
    const range = read.fieldRanges.get(name)
    const value = range && JSON.parse(body.toString('utf8', range.start, range.end))
    if (typeof value === 'string') return value
  }
  return undefined
}

const modelOfForm = (form: Form | undefined): string | undefined =>
  form?.parts.find(each => modelFields.includes(each.name))?.value?.toString()
