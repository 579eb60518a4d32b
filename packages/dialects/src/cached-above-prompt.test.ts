import { expect, it } from 'vitest'
import { decodeUsage as decodeGemini } from './gemini/usage.ts'
import { decodeUsage as decodeChat } from './openai-chat/usage.ts'
import { decodeUsage as decodeResponses } from './openai-responses/usage.ts'
import { inputTokens } from './usage.ts'

/** The dialects whose prompt count includes cached tokens. Anthropic and Bedrock count them beside it. */
const dialects = {
  chat: (prompt: number, cached: number) =>
    decodeChat({
      ...{ prompt_tokens: prompt, completion_tokens: 1 },
      prompt_tokens_details: { cached_tokens: cached },
    }),
  'chat of DeepSeek': (prompt: number, cached: number) =>
    decodeChat({
      ...{ prompt_tokens: prompt, completion_tokens: 1, prompt_cache_hit_tokens: cached },
    }),
  responses: (prompt: number, cached: number) =>
    decodeResponses({
      ...{ input_tokens: prompt, output_tokens: 1 },
      input_tokens_details: { cached_tokens: cached },
    }),
  gemini: (prompt: number, cached: number) =>
    decodeGemini({
      ...{ promptTokenCount: prompt, candidatesTokenCount: 1, cachedContentTokenCount: cached },
    }),
}

it.each(Object.entries(dialects))(
  '%s tells how many cached tokens are above the prompt, and counts the prompt once',
  (_, decode) => {
    const above = decode(10, 25)
    if (above === 'broken') throw new Error('broken')
    expect([inputTokens(above), above.cacheRead, above.cachedAbovePrompt]).toEqual([10, 10, 15])
    for (const cached of [0, 4, 10])
      expect(decode(10, cached)).not.toHaveProperty('cachedAbovePrompt')
  },
)
