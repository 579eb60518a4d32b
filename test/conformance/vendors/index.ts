import type { Vendor } from '../cell.ts'
import { anthropic } from './anthropic/vendor.ts'
import { gemini } from './gemini/vendor.ts'
import { openaiChat } from './openai-chat/vendor.ts'
import { openaiResponses } from './openai-responses/vendor.ts'

export const vendors: readonly Vendor[] = [openaiChat, openaiResponses, anthropic, gemini]
