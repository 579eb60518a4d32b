import type { Exception } from './cell.ts'
import { ofAnthropic } from './exceptions/anthropic.ts'
import { ofEverybody } from './exceptions/everybody.ts'
import { ofGemini } from './exceptions/gemini.ts'
import { ofOpenaiChat } from './exceptions/openai-chat.ts'
import { ofOpenaiResponses } from './exceptions/openai-responses.ts'

/** The closed list of what cannot be expressed, and of what is told in another way. */
export const exceptions: readonly Exception[] = [
  ...[...ofEverybody, ...ofAnthropic, ...ofOpenaiChat],
  ...[...ofOpenaiResponses, ...ofGemini],
]
