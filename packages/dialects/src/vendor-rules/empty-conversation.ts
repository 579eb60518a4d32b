import type { ChatRequest, Message } from '../canon.ts'
import type { CallerDialectId } from '../dialect-id.ts'

type Body = Readonly<Record<string, unknown>>

const isEmpty = (value: unknown): boolean =>
  value === undefined || value === null || (Array.isArray(value) && value.length === 0)

/** State of the vendor that stands for a conversation. */
const conversationFields = ['previous_response_id', 'conversation', 'prompt']

/**
 * The sentence that the dialect's own vendor has for a request without a conversation; undefined where there is one. Instructions alone
 * are none, but for OpenAI's chats, which have them among their messages.
 *
 * - chat: https://github.com/CopilotKit/CopilotKit/issues/529
 * - Responses: https://github.com/pydantic/pydantic-ai/pull/3470
 * - Messages: https://github.com/decolua/9router/pull/419
 * - Gemini: https://github.com/vercel/ai/issues/3775
 */
export const emptyConversation = (dialect: CallerDialectId, body: Body): string | undefined =>
  isMissing[dialect](body) ? refusals[dialect] : undefined

const isMissing: Readonly<Record<CallerDialectId, (body: Body) => boolean>> = {
  'openai-chat': ({ messages }) => isEmpty(messages),
  'openai-responses': body =>
    isEmpty(body.input) && conversationFields.every(each => isEmpty(body[each])),
  anthropic: ({ messages }) => isEmpty(messages),
  gemini: ({ contents }) => isEmpty(contents),
}

const refusals: Readonly<Record<CallerDialectId, string>> = {
  'openai-chat':
    "Invalid 'messages': empty array. Expected an array with minimum length 1, but got an empty array instead.",
  'openai-responses':
    "Missing required parameter: 'input'. Instructions alone are no conversation; send a message of the user.",
  anthropic: 'messages: at least one message is required',
  gemini: '* GenerateContentRequest.contents: contents is not specified',
}

/** The note of a request whose last instruction was sent as a message of the user. */
export const instructionNote = 'instructions sent as the user’s message'

/**
 * A request of instructions only, as every vendor accepts it: its last instruction becomes the user's message. Most vendors
 * take instructions out of the conversation, and refuse what is left. Returns the request itself where it has a message.
 */
export const withUserMessage = (request: ChatRequest): ChatRequest => {
  const { messages } = request
  const last = messages.at(-1)
  if (!last || !messages.every(isInstruction)) return request
  return { ...request, messages: [...messages.slice(0, -1), { ...last, role: 'user' }] }
}

const isInstruction = ({ role }: Message): boolean => role === 'system' || role === 'developer'
