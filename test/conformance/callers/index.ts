import type { Caller } from '../cell.ts'
import { secondClients } from './ai.ts'
import { anthropic } from './anthropic.ts'
import { gemini } from './gemini.ts'
import { openaiChat } from './openai-chat.ts'
import { openaiResponses } from './openai-responses.ts'

/** One official client for each dialect, then the second ones. */
export const callers: readonly Caller[] = [
  ...[openaiChat, openaiResponses, anthropic, gemini],
  ...secondClients,
]
