import type { Exception } from '../cell.ts'
import { allDialectExceptions } from './all-dialects.ts'
import { anthropicExceptions } from './anthropic.ts'
import { geminiExceptions } from './gemini.ts'
import { openaiChatExceptions } from './openai-chat.ts'
import { openaiResponsesExceptions } from './openai-responses.ts'
import { signatureExceptions } from './signatures.ts'

/** The closed list of features that are lost or encoded in another way. */
export const exceptions: readonly Exception[] = [
  ...[...allDialectExceptions, ...anthropicExceptions, ...openaiChatExceptions],
  ...[...openaiResponsesExceptions, ...geminiExceptions, ...signatureExceptions],
]
