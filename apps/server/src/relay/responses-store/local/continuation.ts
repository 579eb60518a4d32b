import { Fault } from '@hub/contract'
import { inputItems, type ParsedRequest, withEarlier } from '@hub/dialects'
import type { App } from '../../../core/app.ts'
import type { AuthenticatedContext, Continuation } from '../../context.ts'
import { reserveBytes } from '../../request/body.ts'
import { unreadableFault } from '../../request/unreadable.ts'
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
    reserveBytes(app, context, bytes),
  )
  const input = inputItems(parsed)
  if (!input) throw new Fault('request.invalid', { hint: "'input' must be a text or a list." })
  const result = context.dialect.read(withEarlier(parsed, conversationItems(turns), input))
  if (!result.ok) throw unreadableFault(result)
  const { model, modelSuffix, isModelReplaced } = parsed
  const expanded = {
    ...result.parsed,
    model,
    ...(modelSuffix === undefined ? {} : { modelSuffix }),
    ...(isModelReplaced ? { isModelReplaced } : {}),
  }
  return { previous, input, parsed: expanded }
}
