import type { Vendor } from '../cell.ts'
import { anthropic } from './anthropic.ts'
import { gemini } from './gemini.ts'
import { openaiChat } from './openai-chat.ts'
import { openaiResponses } from './openai-responses.ts'

export const vendors: readonly Vendor[] = [openaiChat, openaiResponses, anthropic, gemini]
