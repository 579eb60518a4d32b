import { anthropicMaxTokens } from './anthropic.ts'
import type { DialectId } from './types.ts'

/** The efforts that each dialect names. A model may take only some of them. */
export const effortsOf: Record<DialectId, readonly string[]> = {
  'openai-chat': ['none', 'minimal', 'low', 'medium', 'high', 'xhigh'],
  'openai-responses': ['none', 'minimal', 'low', 'medium', 'high', 'xhigh'],
  anthropic: ['low', 'medium', 'high', 'xhigh', 'max'],
  gemini: ['minimal', 'low', 'medium', 'high'],
}

/** Anthropic takes temperatures up to 1: https://platform.claude.com/docs/en/api/messages */
const temperatures: Partial<Record<DialectId, number>> = { anthropic: 1 }
export const temperatureMax = (dialect: DialectId): number => temperatures[dialect] ?? 2

/** The limits of output tokens that are sent where none is set. */
export const defaultMaxTokens: Partial<Record<DialectId, number>> = {
  anthropic: anthropicMaxTokens,
}
