import type { Fault } from '@hub/contract'
import type { CallerFormat } from '@hub/dialects'
import type { App } from '../../../core/app.ts'
import type { Channel } from '../../channels/channel.ts'
import type { RequestContext } from '../../context.ts'
import { contentTypeOf, isJson, type SmallAnswer } from '../fetch-small.ts'
import { scrub } from '../scrub.ts'
import type { Answer } from '../send.ts'
import { classifyUpstreamError, type ErrorAnswer } from '../upstream-error.ts'
import { readRefusalBody } from './refusal-body.ts'

export type RefusedRequest = {
  channel: Channel
  credential: string
  dialect: CallerFormat
  requestBody?: Buffer
}

const noBody = Buffer.alloc(0)

export const classifyRefusal = (
  app: App,
  { requestBody = noBody, ...source }: RefusedRequest,
  answer: ErrorAnswer,
) => classifyUpstreamError(app, { ...source, requestBody }, answer)

/** The fault of a refusal. One that concerns the stored object itself is passed to the caller as it came. */
export const refusalOf = (
  app: App,
  context: RequestContext,
  refused: RefusedRequest,
  { status, type, body, isWhole = true }: SmallAnswer & { isWhole?: boolean },
): Fault => {
  const error = classifyRefusal(app, refused, { body, status })
  const canPass = isWhole && (!error.canRetry || status === 404) && isJson(type)
  if (canPass) context.record.upstreamError = { status, type, body: scrub(body, refused) }
  return error.fault
}

/** Reads a refusal, as `refusalOf`. */
export const readRefusal = async (
  app: App,
  context: RequestContext,
  refused: RefusedRequest,
  answer: Answer,
): Promise<Fault> => {
  const { status } = answer
  const read = await readRefusalBody(app, answer)
  return refusalOf(app, context, refused, { status, type: contentTypeOf(answer), ...read })
}
