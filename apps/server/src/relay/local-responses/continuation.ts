import { Fault } from '@hub/contract'
import { type CallerFormat, inputItems, type ParsedRequest, withEarlier } from '@hub/dialects'
import type { App } from '../../core/app.ts'
import type { AuthenticatedContext, Continuation } from '../context.ts'
import { reserveBytes } from '../request/body.ts'
import { unreadableFault } from '../request/unreadable.ts'
import { conversationItems, readConversation } from './conversation.ts'

/**
 * Expands a call that continues a locally stored response to the full conversation, which is then reserved, sent and
 * charged. The added bytes count as if the caller had sent them.
 */
export const continueLocally = async (
  app: App,
  context: AuthenticatedContext,
  { parsed, previous }: { parsed: ParsedRequest; previous: string },
): Promise<Continuation & { parsed: ParsedRequest }> => {
  const turns = await readConversation(app, context.caller.userId, previous, bytes =>
    reserveBytes(app, context.body, bytes),
  )
  const status = turns.at(-1)?.response.status
  if (status === 'failed' || status === 'cancelled')
    throw new Fault('response.previous', { hint: `It is ${status}, and has no answer.` })
  const input = inputItems(parsed)
  if (!input) throw new Fault('request.invalid', { hint: "'input' must be a text or a list." })
  const expanded = withEarlier(parsed, conversationItems(turns), input)
  return { previous, input, parsed: reread(context.dialect, parsed, expanded) }
}

/** Reads a changed body of a request, whose model the path or a virtual model may have given. */
export const reread = (
  dialect: CallerFormat,
  { model, modelSuffix, effort, isModelReplaced }: ParsedRequest,
  body: Buffer,
): ParsedRequest => {
  const result = dialect.read(body)
  if (!result.ok) throw unreadableFault(result)
  return {
    ...result.parsed,
    model,
    ...(modelSuffix === undefined ? {} : { modelSuffix }),
    ...(effort === undefined ? {} : { effort }),
    ...(isModelReplaced ? { isModelReplaced } : {}),
  }
}
