import { chatAnswer, responsesAnswer } from './chat-wire.ts'
import { promptLength, shareOf } from './figures.ts'
import { type Line, show, sumOf, times, tokens, toolCalls } from './money.ts'
import { type Call, type Priced, refuse, type Vendor } from './vendor.ts'

type Usage = { prompt: number; cached: number; output: number; reasoning: number }

const usageOf = ({ figures }: Call, price: Priced): Usage => {
  const prompt = promptLength(figures, price.long?.above)
  const output = figures.between(1, 6_000)
  return {
    prompt,
    cached: price.cached ? shareOf(figures, prompt) : 0,
    output,
    reasoning: shareOf(figures, output),
  }
}

const linesOf = (
  { prompt, cached, output }: Usage,
  { long, ...short }: Priced,
  ratio = '1',
): Line[] => {
  const price = long && prompt > long.above ? long : short
  return [
    tokens('input', prompt - cached, times(price.input, ratio)),
    tokens('cached input', cached, times(price.cached ?? '0', ratio)),
    tokens('output, with reasoning', output, times(price.output, ratio)),
  ]
}

const usageFields = ({ prompt, cached, output, reasoning }: Usage) => ({
  prompt_tokens: prompt,
  completion_tokens: output,
  total_tokens: prompt + output,
  prompt_tokens_details: { cached_tokens: cached, audio_tokens: 0 },
  completion_tokens_details: { reasoning_tokens: reasoning },
})

/** OpenAI's Responses, which xAI and Groq serve too: reasoning is within the output. */
const responsesUsage = (usage: Usage) => ({
  input_tokens: usage.prompt,
  input_tokens_details: { cached_tokens: usage.cached },
  output_tokens: usage.output,
  output_tokens_details: { reasoning_tokens: usage.reasoning },
  total_tokens: usage.prompt + usage.output,
})

/** Some vendors send the usage of a stream without being requested. */
const unasked = (call: Call): Call => ({
  ...call,
  body: { ...call.body, stream_options: { include_usage: true } },
})

const isResponses = ({ path }: Call) => path.endsWith('/responses')

const unknownModel = (call: Call) => refuse(`The model ${call.model} does not exist.`, 404)

/** "Long context ≥ 200k tokens … bill the long context rates for all tokens in a request once its prompt reaches the
 * model's long context threshold": https://docs.x.ai/developers/pricing. A prompt of exactly 200,000 tokens is long. */
const grok = {
  'grok-4.5': {
    ...{ input: '2', cached: '0.3', output: '6' },
    long: { above: 199_999, input: '4', cached: '0.6', output: '12' },
  },
  'grok-4.3': {
    ...{ input: '1.25', cached: '0.2', output: '2.5' },
    long: { above: 199_999, input: '2.5', cached: '0.4', output: '5' },
  },
}

/** "Cache discounts still apply to cached input tokens before the multiplier. The response always includes a
 * service_tier field": https://docs.x.ai/developers/advanced-api-usage/priority-processing. The premium, 2, stands on
 * the pricing page in a part that could not be read; doubtful. */
const priorityOfXai = '2'

/** "1 USD = 10,000,000,000 ticks": https://docs.x.ai/developers/cost-tracking.md */
const ticksOf = (lines: readonly Line[]) => ({
  cost_in_usd_ticks: Number(sumOf(lines) / 100_000_000n),
})

export const xai: Vendor = {
  name: 'xai',
  prices: grok,
  answer: call => {
    const price = (grok as Record<string, Priced>)[call.model]
    if (!price) return unknownModel(call)
    const requested = call.body.service_tier ?? 'default'
    if (!['default', 'priority'].includes(requested)) return refuse(`service_tier: ${requested}`)
    const served = requested === 'priority' && call.figures.chance(80) ? 'priority' : 'default'
    const usage = usageOf(call, price)
    const lines = linesOf(usage, price, served === 'priority' ? priorityOfXai : '1')
    if (isResponses(call)) {
      // "Web Search $5 / 1k calls": https://docs.x.ai/developers/pricing.md
      const canSearch = call.body.tools?.some(
        (each: { type: string }) => each.type === 'web_search',
      )
      const searches = canSearch ? call.figures.between(0, 3) : 0
      const items = Array.from({ length: searches }, (_, at) => ({
        ...{ id: `ws_${call.id}_${at}`, type: 'web_search_call', status: 'completed' },
        action: { type: 'search', query: 'weather' },
      }))
      lines.push(toolCalls('web search', searches, '5'))
      const fields = { ...responsesUsage(usage), ...ticksOf(lines) }
      return { ...responsesAnswer(call, fields, items, { service_tier: served }), lines, served }
    }
    // Completion tokens are without reasoning, and the total is with both: https://docs.x.ai/docs/guides/reasoning
    const fields = {
      ...usageFields(usage),
      completion_tokens: usage.output - usage.reasoning,
      ...ticksOf(lines),
    }
    return { ...chatAnswer(call, fields, { service_tier: served }), lines, served }
  },
}

/** Off-peak prices; peak hours cost twice as much, by the clock and not by any field of a request:
 * https://api-docs.deepseek.com/quick_start/pricing */
const deepseekPrices: Record<string, Priced> = {
  'deepseek-flash': { input: '0.15', cached: '0.003', output: '0.6' },
  'deepseek-v4-pro': { input: '0.66', cached: '0.022', output: '1.98' },
}

export const deepseek: Vendor = {
  name: 'deepseek',
  prices: deepseekPrices,
  answer: call => {
    const price = deepseekPrices[call.model]
    if (!price) return unknownModel(call)
    const usage = usageOf(call, price)
    // https://api-docs.deepseek.com/guides/kv_cache
    const { prompt_tokens_details: _, ...fields } = usageFields(usage)
    const hits = {
      prompt_cache_hit_tokens: usage.cached,
      prompt_cache_miss_tokens: usage.prompt - usage.cached,
    }
    return { ...chatAnswer(call, { ...fields, ...hits }, {}), lines: linesOf(usage, price) }
  },
}

/** "Cached prompt tokens are billed at 10% of the standard input token price":
 * https://docs.mistral.ai/studio-api/conversations/advanced/prompt-caching */
const mistralPrices: Record<string, Priced> = {
  'mistral-large-latest': { input: '0.5', cached: '0.05', output: '1.5' },
}

export const mistral: Vendor = {
  name: 'mistral',
  prices: mistralPrices,
  answer: call => {
    const price = mistralPrices[call.model]
    if (!price) return unknownModel(call)
    // "Priority Tier requires account setup with Mistral"; no page has its price.
    if (call.body.service_tier === 'priority')
      return refuse('No entitlement to Priority Tier.', 403)
    const usage = usageOf(call, price)
    const { completion_tokens_details: _, ...fields } = usageFields(usage)
    // The last piece of a stream has usage: https://docs.mistral.ai/api/endpoint/chat
    return { ...chatAnswer(unasked(call), fields, {}), lines: linesOf(usage, price) }
  },
}

/** "Pricing matches the on-demand tier": https://console.groq.com/docs/flex-processing.md. Cached input costs half:
 * https://console.groq.com/docs/prompt-caching. Performance is for enterprises, at a price of their own. */
const groqPrices: Record<string, Priced> = {
  'openai/gpt-oss-120b': { input: '0.15', cached: '0.075', output: '0.6' },
  'llama-3.3-70b-versatile': { input: '0.59', output: '0.79' },
}

export const groq: Vendor = {
  name: 'groq',
  prices: groqPrices,
  answer: call => {
    const price = groqPrices[call.model]
    if (!price) return unknownModel(call)
    const requested = call.body.service_tier ?? 'on_demand'
    if (!['auto', 'on_demand', 'flex'].includes(requested))
      return refuse(`service_tier ${requested} is not available for this organization`)
    const served = requested === 'auto' ? 'on_demand' : requested
    const usage = usageOf(call, price)
    const top = { service_tier: served }
    // https://console.groq.com/docs/responses-api
    const answer = isResponses(call)
      ? responsesAnswer(call, responsesUsage(usage), [], top)
      : chatAnswer(call, usageFields(usage), top)
    return { ...answer, lines: linesOf(usage, price), served }
  },
}

/** "OpenRouter passes through the pricing of the underlying providers": https://openrouter.ai/docs/faq */
const routed: Record<string, { price: Priced; tiers: Record<string, string> }> = {
  'openai/gpt-5': {
    price: { input: '1.25', cached: '0.125', output: '10' },
    tiers: { flex: '0.5', priority: '2' },
  },
  'deepseek/deepseek-v4-pro': {
    price: { input: '0.66', cached: '0.022', output: '1.98' },
    tiers: {},
  },
}

export const openrouter: Vendor = {
  name: 'openrouter',
  prices: Object.fromEntries(Object.entries(routed).map(([name, { price }]) => [name, price])),
  answer: call => {
    const model = routed[call.model]
    if (!model) return unknownModel(call)
    const requested = call.body.service_tier ?? 'default'
    if (!['auto', 'default', 'flex', 'priority'].includes(requested)) return refuse('service_tier')
    // "Your request is billed at the actual served tier's rate": https://openrouter.ai/docs/guides/features/service-tiers.md
    const isServed = model.tiers[requested] !== undefined && call.figures.chance(80)
    const served = isServed ? requested : 'default'
    const usage = usageOf(call, model.price)
    const lines = linesOf(usage, model.price, model.tiers[served] ?? '1')
    // Usage "is included in the last SSE message for streaming responses"; "`cost`: The total amount charged to your account": https://openrouter.ai/docs/use-cases/usage-accounting
    const cost = Number(show(sumOf(lines)))
    const fields = { ...usageFields(usage), cost, cost_details: { upstream_inference_cost: null } }
    return { ...chatAnswer(unasked(call), fields, { service_tier: served }), lines, served }
  },
}
