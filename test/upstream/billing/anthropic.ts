import { promptLength, shareOf } from './figures.ts'
import { type Line, times, tokens, toolCalls } from './money.ts'
import { type Call, event, type Json, type Priced, refuse, type Vendor } from './vendor.ts'

type Model = Priced & {
  /** Needs the beta header `fast-mode-2026-02-01`, or none. Absent: no fast mode. */
  fast?: 'beta' | 'open'
  /** Takes `inference_geo`. */
  geo?: true
  /** Long prompts need this word in `anthropic-beta`. */
  longBeta?: string
}

/** 5m writes at 1.25 and 1h writes at 2 times the input, as every row of the page shows. */
const rates = (input: string, cached: string, output: string): Priced => ({
  input,
  cached,
  output,
  write: times(input, '1.25'),
  write1h: times(input, '2'),
})

/**
 * https://platform.claude.com/docs/en/about-claude/pricing: base input, 5m and 1h cache writes, cache hits, output.
 * Fable 5.1 reads its cache at $0.25 (0.025x), Opus 5.5 and Sonnet 5.5 at 0.05x, all others at 0.1x.
 */
const models: Record<string, Model> = {
  'claude-fable-5-1': { ...rates('10', '0.25', '50'), geo: true },
  'claude-opus-5-5': { ...rates('4', '0.2', '20'), geo: true, fast: 'open' },
  'claude-opus-5': { ...rates('5', '0.5', '25'), geo: true, fast: 'beta' },
  // Cache hits were cut from $0.20 to $0.10 on 2026-10-07.
  'claude-sonnet-5-5': { ...rates('2', '0.1', '10'), geo: true },
  'claude-sonnet-4-6': { ...rates('3', '0.3', '15'), geo: true },
  'claude-haiku-4-5': rates('1', '0.1', '5'),
  // "A prompt over 100,000 tokens (input, cache reads and writes) pays" five times as much, output included.
  'claude-haiku-5-5': {
    ...rates('0.1', '0.01', '0.5'),
    long: { ...rates('0.5', '0.05', '2.5'), above: 100_000 },
  },
  // "For Claude Sonnet 4.5 and Sonnet 4, long-context requests (>200k input tokens)": 2 times the input, 1.5 times the
  // output. https://platform.claude.com/docs/en/api/service-tiers
  'claude-sonnet-4-5': {
    ...rates('3', '0.3', '15'),
    long: { ...rates('6', '0.6', '22.5'), above: 200_000 },
    longBeta: 'context-1m-2025-08-07',
  },
}

/** "Fast mode is priced at 2x the standard-speed token rates across all token types (input, output, 5-minute and 1-hour
 * cache write, and cache hit tokens). Web search tool calls are billed at the standard rate."
 * https://docs.cloud.google.com/gemini-enterprise-agent-platform/models/partner-models/claude/fable-5-2; $8 / $40 of Opus 5.5 and $10 / $50
 * of Opus 5: https://platform.claude.com/docs/en/build-with-claude/fast-mode */
const fastRatio = '2'

/** "US-only inference is priced at 1.1x", on all categories of tokens, on top of fast mode.
 * https://platform.claude.com/docs/en/manage-claude/data-residency */
const usRatio = '1.1'

/** "$10 per 1,000 searches": https://platform.claude.com/docs/en/about-claude/pricing#web-search-tool */
const searchPrice = '10'

/** The lifetimes that the request's `cache_control` marks ask for. */
const lifetimesOf = (body: Json): string[] =>
  [...JSON.stringify(body).matchAll(/"cache_control":\{([^}]*)\}/g)].map(([, fields]) =>
    fields!.includes('"ttl":"1h"') ? '1h' : '5m',
  )

type Usage = { input: number; cached: number; fiveMinutes: number; hour: number; output: number }

const usageOf = ({ body, figures }: Call, limit: number | undefined): Usage => {
  const all = promptLength(figures, limit)
  const lifetimes = lifetimesOf(body)
  const cached = lifetimes.length > 0 ? shareOf(figures, all) : 0
  const hour = lifetimes.includes('1h') ? shareOf(figures, all - cached) : 0
  const fiveMinutes = lifetimes.includes('5m') ? shareOf(figures, all - cached - hour) : 0
  const output = figures.between(1, 6_000)
  return { input: all - cached - hour - fiveMinutes, cached, fiveMinutes, hour, output }
}

const linesOf = (usage: Usage, model: Model, ratio: string): Line[] => {
  const { input, cached, fiveMinutes, hour, output } = usage
  const { long, ...short } = model
  const price = long && input + cached + fiveMinutes + hour > long.above ? long : short
  const at = (rate: string | undefined) => times(rate ?? '0', ratio)
  return [
    tokens('input', input, at(price.input)),
    tokens('cache hits', cached, at(price.cached)),
    tokens('5m cache writes', fiveMinutes, at(price.write)),
    tokens('1h cache writes', hour, at(price.write1h)),
    tokens('output', output, at(price.output)),
  ]
}

/** https://platform.claude.com/docs/en/api/messages: usage, with cached tokens next to `input_tokens`, not within it. */
const wireUsage = (call: Call, usage: Usage, model: Model, searches: number) => ({
  input_tokens: usage.input,
  cache_creation_input_tokens: usage.fiveMinutes + usage.hour,
  cache_read_input_tokens: usage.cached,
  cache_creation: {
    ephemeral_5m_input_tokens: usage.fiveMinutes,
    ephemeral_1h_input_tokens: usage.hour,
  },
  output_tokens: usage.output,
  service_tier: 'standard',
  inference_geo: model.geo ? (call.body.inference_geo ?? 'global') : 'not_available',
  ...(model.fast ? { speed: call.body.speed ?? 'standard' } : {}),
  ...(searches ? { server_tool_use: { web_search_requests: searches } } : {}),
})

const streamOf = (message: Json): string[] => {
  const { content, usage, ...rest } = message
  const begun = { ...usage, output_tokens: 1 }
  delete begun.server_tool_use
  const blocks = content.flatMap((block: Json, index: number) => [
    {
      type: 'content_block_start',
      index,
      content_block: block.type === 'text' ? { type: 'text', text: '' } : { ...block },
    },
    ...(block.type === 'text'
      ? [{ type: 'content_block_delta', index, delta: { type: 'text_delta', text: block.text } }]
      : []),
    { type: 'content_block_stop', index },
  ])
  const start = { ...rest, content: [], stop_reason: null, usage: begun }
  const { cache_creation: _, service_tier: __, inference_geo: ___, ...last } = usage
  const events = [
    { type: 'message_start', message: start },
    ...blocks,
    {
      type: 'message_delta',
      delta: { stop_reason: 'end_turn', stop_sequence: null },
      usage: last,
    },
    { type: 'message_stop' },
  ]
  return events.map(each => event(each, each.type))
}

const refusalOf = (call: Call, model: Model | undefined): string | undefined => {
  const { body, headers } = call
  const betas = String(headers['anthropic-beta'] ?? '')
  if (!model) return `model: ${call.model}`
  if (!['standard', 'fast'].includes(body.speed ?? 'standard')) return 'speed: unknown value'
  if (body.speed === 'fast' && !model.fast) return `${call.model} does not support fast mode`
  if (body.speed === 'fast' && model.fast === 'beta' && !betas.includes('fast-mode-2026-02-01'))
    return 'speed: needs the beta header fast-mode-2026-02-01'
  // "Requests with inference_geo on legacy models return a 400 error."
  if (body.inference_geo !== undefined && !model.geo) return 'inference_geo: not supported'
  if (!['global', 'us'].includes(body.inference_geo ?? 'global')) return 'inference_geo: unknown'
  if (!['auto', 'standard_only'].includes(body.service_tier ?? 'auto')) return 'service_tier'
  return undefined
}

export const anthropic: Vendor = {
  name: 'anthropic',
  prices: models,
  answer: call => {
    const { body, figures, headers } = call
    const model = models[call.model]
    const refusal = refusalOf(call, model)
    if (refusal || !model) {
      const error = { type: 'invalid_request_error', message: refusal }
      return { ...refuse(''), body: { type: 'error', error } }
    }
    const { longBeta } = model
    const mayBeLong = !longBeta || String(headers['anthropic-beta'] ?? '').includes(longBeta)
    const usage = usageOf(call, mayBeLong ? model.long?.above : undefined)
    const canSearch = body.tools?.some((each: Json) => /^web_search_/.test(each.type ?? ''))
    const searches = canSearch ? figures.between(0, 4) : 0
    const speed = body.speed === 'fast' ? fastRatio : '1'
    const ratio = times(speed, body.inference_geo === 'us' ? usRatio : '1')
    const lines = [...linesOf(usage, model, ratio), toolCalls('web search', searches, searchPrice)]
    const message = {
      id: `msg_${call.id}`,
      type: 'message',
      role: 'assistant',
      model: call.model,
      content: [{ type: 'text', text: 'It is so.' }],
      stop_reason: 'end_turn',
      stop_sequence: null,
      usage: wireUsage(call, usage, model, searches),
    }
    const wire = call.streamed ? { frames: streamOf(message) } : { body: message }
    return { status: 200, ...wire, lines, served: body.speed ?? 'standard' }
  },
}
