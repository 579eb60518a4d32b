import { chatAnswer, responsesAnswer } from './chat-wire.ts'
import { promptLength, shareOf } from './figures.ts'
import { type Line, tokens, toolCalls } from './money.ts'
import { type Model, openaiModels, type Tier } from './openai-prices.ts'
import { type Call, type Json, type Priced, type Rates, refuse, type Vendor } from './vendor.ts'

/** "You can use either `service_tier: "priority"` or `"fast"`": https://developers.openai.com/api/docs/guides/fast-mode.md */
const tiersByName: Record<string, Tier | 'standard'> = {
  auto: 'standard',
  default: 'standard',
  flex: 'flex',
  priority: 'fast',
  fast: 'fast',
  ultrafast: 'ultrafast',
}

/** Usage, with cached, written and audio tokens within the input, and reasoning and audio within the output. */
type Usage = {
  input: number
  cached: number
  written: number
  audioInput: number
  output: number
  reasoning: number
  audioOutput: number
}

const usageOf = ({ figures, body }: Call, { standard }: Model): Usage => {
  const input = promptLength(figures, standard.long?.above)
  const cached = standard.cached ? shareOf(figures, input) : 0
  const written = standard.write ? shareOf(figures, input - cached) : 0
  const hasSound = standard.audioOutput !== undefined && body.modalities?.includes('audio')
  const output = figures.between(1, 6_000)
  const audioOutput = hasSound ? shareOf(figures, output) : 0
  return {
    input,
    cached,
    written,
    audioInput: standard.audioInput ? shareOf(figures, input - cached - written) : 0,
    output,
    reasoning: audioOutput ? 0 : shareOf(figures, output),
    audioOutput,
  }
}

/** The rates of a prompt's length. */
export const ratesFor = ({ long, ...short }: Priced, input: number): Rates =>
  long && input > long.above ? long : short

const linesOf = (usage: Usage, price: Priced): Line[] => {
  const rates = ratesFor(price, usage.input)
  const { cached, written, audioInput, audioOutput } = usage
  return [
    tokens('input', usage.input - cached - written - audioInput, rates.input),
    tokens('cached input', cached, rates.cached ?? '0'),
    tokens('cache writes', written, rates.write ?? '0'),
    tokens('audio input', audioInput, rates.audioInput ?? '0'),
    tokens('output, with reasoning', usage.output - audioOutput, rates.output),
    tokens('audio output', audioOutput, rates.audioOutput ?? '0'),
  ]
}

/**
 * The tier that serves a call. Fast mode may be served as standard, at its price, and the answer says so:
 * https://developers.openai.com/api/docs/guides/fast-mode.md; so are long prompts where the table `excludes long context`.
 */
const serve = (model: Model, requested: Tier | 'standard', input: number, busy: boolean) => {
  const { standard, tiers, fastName } = model
  const price = requested === 'standard' ? standard : tiers[requested]
  if (!price) return undefined
  const isLong = standard.long !== undefined && input > standard.long.above
  const isServed = requested === 'flex' || (!busy && (!isLong || price.long !== undefined))
  if (requested === 'standard' || !isServed) return { price: standard, name: 'default' }
  return { price, name: requested === 'fast' ? fastName : requested }
}

/**
 * https://developers.openai.com/api/docs/pricing#built-in-tools: web search $10.00 and file search $2.50 per 1k calls,
 * a container of the code interpreter $0.03. https://developers.openai.com/api/docs/guides/tools-web-search: the action
 * `search` costs a call, `open_page` none.
 */
const toolPrices: Record<string, string> = {
  web_search: '10',
  file_search: '2.5',
  code_interpreter: '30',
}

const itemOf = (call: Call, type: string, at: number, isSearch: boolean): Json => {
  const base = { id: `${type.slice(0, 2)}_${call.id}_${at}`, status: 'completed' }
  if (type === 'web_search') {
    const action = isSearch
      ? { type: 'search', query: 'weather' }
      : { type: 'open_page', url: 'https://example.com/' }
    return { ...base, type: 'web_search_call', action }
  }
  if (type === 'file_search')
    return { ...base, type: 'file_search_call', queries: ['weather'], results: null }
  const container_id = `cntr_${call.id}`
  return { ...base, type: 'code_interpreter_call', code: '1 + 1', container_id, outputs: null }
}

const toolsOf = (call: Call): { items: Json[]; lines: Line[] } => {
  const items: Json[] = []
  const lines: Line[] = []
  for (const { type } of call.body.tools ?? []) {
    const price = toolPrices[type]
    if (price === undefined) continue
    // A container serves all code of a call.
    const uses = type === 'code_interpreter' ? 1 : call.figures.between(0, 3)
    const searches = Array.from(
      { length: uses },
      () => type !== 'web_search' || call.figures.chance(70),
    )
    items.push(...searches.map((search, at) => itemOf(call, type, at, search)))
    lines.push(toolCalls(type, searches.filter(Boolean).length, price))
  }
  return { items, lines }
}

const chatUsage = (usage: Usage) => ({
  prompt_tokens: usage.input,
  completion_tokens: usage.output,
  total_tokens: usage.input + usage.output,
  prompt_tokens_details: {
    cached_tokens: usage.cached,
    audio_tokens: usage.audioInput,
    ...(usage.written ? { cache_write_tokens: usage.written } : {}),
  },
  completion_tokens_details: {
    reasoning_tokens: usage.reasoning,
    audio_tokens: usage.audioOutput,
    accepted_prediction_tokens: 0,
    rejected_prediction_tokens: 0,
  },
})

const responsesUsage = (usage: Usage) => ({
  input_tokens: usage.input,
  input_tokens_details: {
    cached_tokens: usage.cached,
    ...(usage.written ? { cache_write_tokens: usage.written } : {}),
  },
  output_tokens: usage.output,
  output_tokens_details: { reasoning_tokens: usage.reasoning },
  total_tokens: usage.input + usage.output,
})

export const openai: Vendor = {
  name: 'openai',
  prices: Object.fromEntries(
    Object.entries(openaiModels).map(([name, { standard }]) => [name, standard]),
  ),
  answer: call => {
    const { body, figures } = call
    const model = openaiModels[call.model]
    if (!model) return refuse(`The model ${call.model} does not exist.`, 404)
    if (model.standard.audioInput && call.path.endsWith('/responses'))
      return refuse(`${call.model} is not supported with the Responses API.`)
    const requested = tiersByName[body.service_tier ?? 'auto']
    if (!requested) return refuse(`Invalid service_tier argument: ${body.service_tier}`)
    // Writes that live for 12 hours are counted apart, and no page that could be read has their price.
    if (body.prompt_cache_options?.ttl === '12h') return refuse('prompt_cache_options.ttl')
    const usage = usageOf(call, model)
    const served = serve(model, requested, usage.input, figures.chance(20))
    if (!served) return refuse(`${call.model} does not support the tier ${body.service_tier}.`)
    const lines = linesOf(usage, served.price)
    if (call.path.endsWith('/responses')) {
      const tools = toolsOf(call)
      const searches = tools.lines.find(each => each.what === 'web_search')?.units ?? 0
      const answer = responsesAnswer(call, responsesUsage(usage), tools.items, {
        service_tier: served.name,
        // "`web_search.num_requests` counts billable searches": the vendor's client, `Response.ToolUsage`.
        ...(body.tools ? { tool_usage: { web_search: { num_requests: searches } } } : {}),
      })
      return { ...answer, lines: [...lines, ...tools.lines], served: served.name }
    }
    // "The response will show `service_tier=priority` regardless": the vendor's client, on chat completions.
    const tier = served.name === 'fast' ? 'priority' : served.name
    const answer = chatAnswer(call, chatUsage(usage), { service_tier: tier })
    return { ...answer, lines, served: served.name }
  },
}
