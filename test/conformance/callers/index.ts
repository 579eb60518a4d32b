import type { Caller } from '../cell.ts'
import { secondClients } from './ai-sdk/client.ts'
import { anthropic } from './anthropic/client.ts'
import { gemini } from './gemini/client.ts'
import { openaiChat } from './openai-chat/client.ts'
import { openaiResponses } from './openai-responses/client.ts'
import { openaiResponsesSocket } from './openai-responses/socket.ts'

/** One official client for each dialect, then the second ones. */
export const httpCallers: readonly Caller[] = [
  ...[openaiChat, openaiResponses, anthropic, gemini],
  ...secondClients,
]

export const callers: readonly Caller[] = [...httpCallers, openaiResponsesSocket]
