import { Fault } from '@hub/contract'
import {
  dropBareThoughts,
  emptyResponseEvents,
  inputItems,
  type OutputCollector,
  type ParsedRequest,
  type ResponseItem,
  type SocketClientEvent,
  withoutCompacted,
} from '@hub/dialects'
import type { App } from '../../core/app.ts'
import { identify } from '../../relay/auth/identify.ts'
import type { AuthenticatedContext, RequestContext } from '../../relay/context.ts'
import { findOwnedResponse } from '../../relay/references/owner.ts'
import { reserveBytes } from '../../relay/request/body.ts'
import { unreadableFault } from '../../relay/request/unreadable.ts'
import { newResponseId } from '../../relay/request/with-request.ts'
import { endResponse, writeHead } from '../../relay/response/write.ts'
import type { ConversationMemory } from './conversations.ts'

/** A request for a response, as a message of the caller. */
export type CreateEvent = Extract<SocketClientEvent, { kind: 'create' }>

export type CreateSteps = {
  event: CreateEvent
  memory: ConversationMemory
  output: OutputCollector
  /** Serves the request like one that was posted. */
  serve(app: App, context: RequestContext): Promise<void>
}

/** Serves one request of a connection, and remembers its response so that the next request can continue it. */
export const createResponse = async (
  app: App,
  request: RequestContext,
  { event, memory, output, serve }: CreateSteps,
): Promise<void> => {
  const context = await identify(app, request)
  const parsed = read(context, event.body)
  const previousId = parsed.state?.previousResponseId
  const isBeginning = await continuesStored(app, context, memory, previousId)
  output.onFinished = (id, items) =>
    memory.add({
      id,
      previousId,
      isBeginning,
      items: [...(inputItems(parsed) ?? []), ...withoutBareThoughts(items)],
      isStored: event.generate && parsed.state?.store === true,
    })
  const isRemembered = previousId !== undefined && !isBeginning
  if (isRemembered) output.onFailed = () => memory.forget(previousId)
  if (!event.generate) return answerEmpty(app, context, parsed)
  context.body.received = isRemembered
    ? continueFromMemory(app, context, { parsed, previousId, memory })
    : event.body
  await serve(app, context)
}

const read = (context: AuthenticatedContext, body: Buffer): ParsedRequest => {
  const result = context.dialect.read(body)
  if (!result.ok) throw unreadableFault(result)
  return result.parsed
}

const withoutBareThoughts = (items: readonly unknown[]): readonly unknown[] => {
  const body = { input: items }
  dropBareThoughts(body)
  return body.input
}

/** The previous response is stored, by a vendor or by the gateway, which knows more of it than this connection. */
const continuesStored = async (
  app: App,
  { caller }: AuthenticatedContext,
  memory: ConversationMemory,
  previousId: string | undefined,
): Promise<boolean> => {
  if (previousId === undefined || (memory.has(previousId) && !memory.isStored(previousId)))
    return false
  if (await findOwnedResponse(app, caller.userId, previousId)) return true
  if (memory.has(previousId)) return false
  throw new Fault('response.previous', {
    hint: `previous_response_id: ${previousId.slice(0, 100)}.`,
  })
}

type Continued = { parsed: ParsedRequest; previousId: string; memory: ConversationMemory }

/** Puts the remembered conversation in front of the request's own input. */
const continueFromMemory = (
  app: App,
  context: AuthenticatedContext,
  { parsed, previousId, memory }: Continued,
): Buffer => {
  const own = inputItems(parsed)
  if (!own) throw new Fault('request.invalid', { hint: "'input' must be a text or a list." })
  const earlier = memory.read(previousId)
  if (!earlier) throw new Fault('response.previous')
  if (earlier.stored === undefined) requireCalls(own, earlier.items)
  reserveBytes(app, context.body, earlier.bytes)
  return context.dialect.splice(parsed, {
    input: [...withoutCompacted(earlier.items), ...own],
    previous_response_id: earlier.stored,
  })
}

/** Refuses the output of a call that no one made, as the vendor does, which no other turn of the caller repairs. */
const requireCalls = (own: readonly ResponseItem[], earlier: readonly ResponseItem[]): void => {
  const outputs = own.filter(({ type }) => /_(call|search)_output$/.test(String(type)))
  if (outputs.length === 0) return
  const calls = new Set([...earlier, ...own].flatMap(each => (isCall(each) ? each.call_id : [])))
  const orphan = outputs.find(({ call_id }) => typeof call_id === 'string' && !calls.has(call_id))
  if (!orphan) return
  const hint = `No tool call has the call_id ${String(orphan.call_id).slice(0, 100)} of this output.`
  throw new Fault('request.invalid', { hint })
}

const isCall = ({ type }: ResponseItem): boolean => String(type).endsWith('_call')

/** Answers `generate: false`: nothing is sent to a channel and nothing is charged. */
const answerEmpty = (app: App, context: AuthenticatedContext, parsed: ParsedRequest): void => {
  const events = emptyResponseEvents({
    id: newResponseId(app),
    model: parsed.model,
    createdAt: Math.floor(app.now() / 1_000),
    previousResponseId: parsed.state?.previousResponseId,
  })
  writeHead(context, 200, [])
  endResponse(context, Buffer.from(events))
}
