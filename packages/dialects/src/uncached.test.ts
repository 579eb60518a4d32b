import { expect, it } from 'vitest'
import { decodeUsage as decodeAnthropic } from './anthropic/usage.ts'
import { decodeUsage as decodeConverse } from './converse/usage.ts'
import { decodeUsage as decodeGemini } from './gemini/usage.ts'
import { decodeUsage as decodeChat } from './openai-chat/usage.ts'
import { decodeUsage as decodeResponses } from './openai-responses/usage.ts'
import { decodeRealtimeUsage } from './realtime/openai-usage.ts'

const chat = (more: object) => decodeChat({ prompt_tokens: 9, completion_tokens: 1, ...more })
const chatDetails = (prompt_tokens_details: object) => chat({ prompt_tokens_details })
const responses = (input_tokens_details: object) =>
  decodeResponses({ input_tokens: 9, output_tokens: 1, input_tokens_details })
const realtime = (input_token_details: object) =>
  decodeRealtimeUsage({ input_tokens: 9, output_tokens: 1, input_token_details })
const gemini = (more: object) =>
  decodeGemini({ promptTokenCount: 9, candidatesTokenCount: 1, ...more })
const claude = (more: object) => decodeAnthropic({ input_tokens: 9, output_tokens: 1, ...more })
const bedrock = (more: object) => decodeConverse({ inputTokens: 9, outputTokens: 1, ...more })

const stated = {
  'chat that counts 0': chatDetails({ cached_tokens: 0 }),
  'chat that counts 0 and leaves out writes': chatDetails({ cached_tokens: 0, audio_tokens: 0 }),
  'DeepSeek that counts 0': chat({ prompt_cache_hit_tokens: 0, prompt_cache_miss_tokens: 9 }),
  'Moonshot that counts 0': chat({ cached_tokens: 0 }),
  'a relay with two names of 0': chat({
    cached_tokens: 0,
    prompt_tokens_details: { cached_tokens: 0 },
  }),
  'Responses that count 0': responses({ cached_tokens: 0 }),
  'a realtime turn that counts 0': realtime({ cached_tokens: 0, text_tokens: 9 }),
  'Gemini that counts 0': gemini({ cachedContentTokenCount: 0 }),
}

const unstated = {
  'chat without details': chat({}),
  'chat with empty details': chatDetails({}),
  'chat that counts nothing': chatDetails({ cached_tokens: null }),
  'chat that read 4': chatDetails({ cached_tokens: 4 }),
  'chat that counts writes': chatDetails({ cached_tokens: 0, cache_write_tokens: 0 }),
  'DeepSeek that read 4': chat({ prompt_cache_hit_tokens: 4, cached_tokens: 0 }),
  'Responses without details': responses({}),
  'Responses that read 4': responses({ cached_tokens: 4 }),
  'Responses that count writes': responses({ cached_tokens: 0, cache_write_tokens: 0 }),
  'a realtime turn without details': realtime({}),
  'a realtime turn that read 4': realtime({ cached_tokens: 4 }),
  'Gemini, which leaves 0 out': gemini({}),
  'Gemini that read 4': gemini({ cachedContentTokenCount: 4 }),
  'Claude without marks': claude({ cache_read_input_tokens: 0, cache_creation_input_tokens: 0 }),
  'Claude without counts of a cache': claude({}),
  'Bedrock without marks': bedrock({ cacheReadInputTokens: 0, cacheWriteInputTokens: 0 }),
}

it.each(Object.entries(stated))(
  '%s says that nothing came from a cache that fills itself',
  (_, usage) => expect(usage).toMatchObject({ uncached: true }),
)

it.each(Object.entries(unstated))(
  '%s does not say that a cache that fills itself had nothing',
  (_, usage) => {
    expect(usage).not.toBe('broken')
    expect(usage).not.toHaveProperty('uncached')
  },
)
