import { anthropic } from './anthropic.ts'
import type { Check } from './body.ts'
import { deepseek, mistral, moonshot, qwen, xai, zhipu } from './chat-vendors.ts'
import { bedrockWords, converse, gemini } from './google-and-aws.ts'
import { openai } from './openai.ts'

/** Endpoints whose vendors document no rules there. Callers of the same dialect alone are sent to them. */
const ownCallers = [
  'deepseek/anthropic',
  'moonshot/anthropic',
  'qwen/anthropic',
  'zhipu/anthropic',
  'xai/openai-responses',
]

/** How the vendor of a provider refuses a body, by the dialect of its endpoint. */
export const vendorChecks: Readonly<Record<string, Check>> = {
  'openai/openai-chat': openai,
  'openai/openai-responses': openai,
  'anthropic/anthropic': anthropic,
  'bedrock/anthropic': (body, model) =>
    bedrockWords(body, model) ?? anthropic(body, model.replace(/^.*?(claude)/, '$1')),
  'bedrock/converse': converse,
  'gemini/gemini': gemini,
  'deepseek/openai-chat': deepseek,
  'moonshot/openai-chat': moonshot,
  'mistral/openai-chat': mistral,
  'qwen/openai-chat': qwen,
  'zhipu/openai-chat': zhipu,
  'xai/openai-chat': xai,
  ...Object.fromEntries(ownCallers.map(each => [each, () => undefined])),
}
