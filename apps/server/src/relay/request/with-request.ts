import { randomBytes } from 'node:crypto'
import type { ParsedRequest } from '@hub/dialects'
import { type App, nowSeconds } from '../../core/app.ts'
import { markOf } from '../channels/marks.ts'
import type { AuthenticatedContext, ReadContext } from '../context.ts'
import { findSessionKey } from './session-key.ts'

/** It carries the mark of the gateway, as do the ids of its items. */
export const newResponseId = (app: App): string =>
  `resp_${markOf(app)}${randomBytes(20).toString('hex')}`

/** The context of a call once its body was read. */
export const withRequest = (
  app: App,
  context: AuthenticatedContext,
  parsed: ParsedRequest,
): ReadContext => {
  const { record, request } = context
  const session = findSessionKey(request.headers, parsed)
  record.requestedModel = parsed.model
  record.isStream = parsed.stream
  record.session = session
  const background = parsed.state?.background
    ? { id: newResponseId(app), createdAt: nowSeconds(app) }
    : undefined
  return { ...context, parsed, session, background }
}
