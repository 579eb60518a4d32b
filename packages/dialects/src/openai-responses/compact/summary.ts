import type { ChatRequest, Message, Part } from '../../canon.ts'
import type { Json } from '../../json/json.ts'
import type { Mark } from '../../marks/mark.ts'
import type { ParsedRequest, StateParams } from '../../parsed-request.ts'
import { dialectId, type Item } from '../items.ts'
import { declaresTools } from '../namespaces.ts'

// A vendor that cannot compact a conversation is asked for a summary of it:
// https://developers.openai.com/api/docs/guides/conversation-state#compaction-advanced

export const compactionTrigger = 'compaction_trigger'

/** The words are documented in `docs/clients.md`. */
export const summaryInstruction =
  'Write a summary of the conversation above. It replaces the conversation: whoever continues it sees nothing else. State ' +
  'what the user wants and under which conditions, what was decided and why, what was done with which result, what failed, ' +
  'what is still open, and the next step. Keep the exact names, paths, ids, figures and quotations that are still needed. ' +
  'Write the summary only, and call no tool.'

/** The instruction is part of the prompt that is reserved. Texts have at least three letters a token. */
const instructionTokens = Math.ceil(summaryInstruction.length / 3)

/** A request whose answer is the compacted conversation. */
export const compacting = (parsed: ParsedRequest, state: StateParams): ParsedRequest => ({
  ...parsed,
  promptTokens: parsed.promptTokens + instructionTokens,
  state: { ...state, compacts: true },
})

/** Begins the message that a summary becomes in later requests. */
const summaryOpening = 'Summary of the conversation until now, which it replaces:\n\n'

const isTrigger = (part: Part | undefined): boolean =>
  part?.type === 'opaque' &&
  part.dialect === dialectId &&
  (part.value as Json)?.type === compactionTrigger

/** Tells why the items cannot be compacted; undefined where they can, or where nobody asks for it. */
export const compactionFault = (
  items: readonly Json[],
  { previous_response_id, conversation, prompt }: Json,
): string | undefined => {
  const first = items.findIndex(each => each.type === compactionTrigger)
  if (first === -1) return undefined
  if (first < items.length - 1) return `'${compactionTrigger}' must be the last item of 'input'.`
  const isEmpty = items.length === 1 && !(previous_response_id || conversation || prompt)
  return isEmpty ? "'input' has no conversation to compact." : undefined
}

/** The body of a call that compacts, as one that ends with the trigger. */
export const withTrigger = (body: unknown): unknown => {
  const { input, ...fields } = (body ?? {}) as Json
  const items = typeof input === 'string' ? [{ role: 'user', content: input }] : (input ?? [])
  return Array.isArray(items)
    ? { ...fields, input: [...items, { type: compactionTrigger }] }
    : { ...fields, input }
}

/** A request that ends with the trigger, as one for a summary; undefined for any other. */
export const summaryRequest = (request: ChatRequest): ChatRequest | undefined => {
  const last = request.messages.at(-1)
  if (!last || !isTrigger(last.parts.at(-1))) return undefined
  const { format, logprobs, toolChoice, store, ...rest } = request
  const parts = last.parts.slice(0, -1)
  return {
    ...rest,
    messages: [
      ...request.messages.slice(0, -1),
      ...(parts.length > 0 ? [{ ...last, parts }] : []),
      { role: 'user', parts: [{ type: 'text', text: summaryInstruction }] },
    ],
    // Vendors want the tools of the calls in the conversation declared.
    ...(declaresTools(request) ? { toolChoice: { type: 'none' as const } } : {}),
  }
}

const contentPattern = /^summary\.[A-Za-z0-9]{8}\.([A-Za-z0-9_-]+)$/

export const encodeSummary = (summary: string, mark: Mark): string =>
  `summary.${mark}.${Buffer.from(summary).toString('base64url')}`

/** The summary in an item that the gateway made; undefined for one of a vendor, which only that vendor can read. */
export const summaryIn = ({ type, encrypted_content: content }: Item): string | undefined => {
  const found = type === 'compaction' && typeof content === 'string' && contentPattern.exec(content)
  return found ? Buffer.from(found[1]!, 'base64url').toString() : undefined
}

/** The words of a caller's message that stands for the item in any dialect. */
export const summaryText = (summary: string): string => summaryOpening + summary

export const isSummaryMessage = ({ role, parts: [part] }: Message): boolean =>
  role === 'user' && part?.type === 'text' && part.text.startsWith(summaryOpening)

/** Triggers have done their work once they are answered. */
export const withoutTriggers = (items: readonly Json[]): Json[] =>
  items.filter(each => each.type !== compactionTrigger)

/** The items from the last summary on: it replaces what was before it. */
export const withoutCompacted = (items: readonly Json[]): Json[] => {
  const start = items.findLastIndex(each => summaryIn(each) !== undefined)
  return withoutTriggers(items.slice(Math.max(start, 0)))
}

/** Reported where the model wrote nothing that could replace the conversation. */
export const noSummary = {
  code: 'server_error',
  message: 'The model wrote no summary of the conversation. Send the request again.',
}
