import { vendorChecks } from '../../../upstream/model-rules/index.ts'
import { proofOf } from './answer.ts'
import type { Json, Message, Wire } from './conversation.ts'
import type { VendorRequest } from './vendor.ts'

/** A vendor's rules, by the provider and a model of it. */
export type RuleSet = {
  name: string
  type: number
  provider: string
  model: string
  /** The vendor wants the model's thoughts back, or shows none. */
  thinks: boolean
  key?: string
}

export const ruleSets: readonly RuleSet[] = [
  { name: 'OpenAI', type: 1, provider: 'openai', model: 'gpt-5.5', thinks: true },
  { name: 'Anthropic', type: 14, provider: 'anthropic', model: 'claude-opus-5-5', thinks: true },
  { name: 'Gemini', type: 25, provider: 'gemini', model: 'gemini-3.1-pro', thinks: true },
  { name: 'DeepSeek', type: 28, provider: 'deepseek', model: 'deepseek-v4-pro', thinks: true },
  { name: 'Moonshot', type: 29, provider: 'moonshot', model: 'kimi-k3', thinks: true },
  {
    ...{ name: 'Bedrock', type: 32, provider: 'bedrock', thinks: false },
    ...{ model: 'us.anthropic.claude-sonnet-4-6', key: 'us-east-1|ABSKc2VjcmV0' },
  },
  { name: 'Mistral', type: 30, provider: 'mistral', model: 'mistral-large-latest', thinks: false },
  { name: 'Qwen', type: 17, provider: 'qwen', model: 'qwen3.6-plus', thinks: true },
]

const dialectOf: Record<Wire, string> = {
  chat: 'openai-chat',
  responses: 'openai-responses',
  anthropic: 'anthropic',
  invoke: 'anthropic',
  gemini: 'gemini',
  converse: 'converse',
}

/** Each vendor wants the results of all calls directly after them. */
const unpaired = (messages: readonly Message[]): string | undefined => {
  let open: string[] = []
  for (const { role, calls } of messages) {
    if (role === 'tool') {
      const strange = calls.find(each => !open.includes(each))
      if (strange) return `the result of ${strange} has no call before it`
      for (const each of calls) open.splice(open.indexOf(each), 1)
    } else if (role === 'model') open.push(...calls)
    else if (open.length > 0) return `no result of ${open} before the words of the user`
    else open = []
  }
  return open.length > 0 ? `no result of ${open}` : undefined
}

const blocksIn = (value: Json): Json[] =>
  (Array.isArray(value) ? value : []).flatMap(each => each.content ?? each.parts ?? [each])

/** Says to Gemini that a call comes from elsewhere: https://ai.google.dev/gemini-api/docs/thought-signatures */
const strangers = ['skip_thought_signature_validator', 'context_engineering_is_the_way_to_go']

/** Thoughts of another vendor are refused by those that sign their own. */
export const stateRefusalOf = (
  { name, provider }: RuleSet,
  { wire, body }: VendorRequest,
): { refusal: string; code?: string } | undefined => {
  const own = proofOf(name)
  if (provider === 'openai' && wire === 'responses') {
    const code = 'invalid_encrypted_content'
    const isForeign = (each: Json) => each.encrypted_content && each.encrypted_content !== own
    return body.input.some(isForeign)
      ? { refusal: 'The encrypted content could not be verified.', code }
      : undefined
  }
  if ((provider === 'anthropic' || provider === 'bedrock') && wire !== 'converse')
    return blocksIn(body.messages).some(each => each.type === 'thinking' && each.signature !== own)
      ? { refusal: 'messages.1.content.0: Invalid `signature` in `thinking` block' }
      : undefined
  if (provider === 'gemini')
    return blocksIn(body.contents)
      .map(each => each.thoughtSignature)
      .some(each => each !== undefined && each !== own && !strangers.includes(each))
      ? { refusal: 'Thought signature is not valid.' }
      : undefined
  return undefined
}

/** How the vendor refuses a request; undefined where it accepts it. */
export const refusalOf = (
  { provider, model }: RuleSet,
  request: VendorRequest,
): string | undefined => {
  const check = vendorChecks[`${provider}/${dialectOf[request.wire]}`]
  if (!check) return `no rules of ${provider} for ${request.wire}`
  return check(request.body, model) ?? unpaired(request.messages)
}
