import { promptLength, shareOf } from './figures.ts'
import { type Line, times, tokens, toolCalls } from './money.ts'
import {
  type Answer,
  type Call,
  event,
  type Json,
  type Priced,
  type Rates,
  refuse,
  type Vendor,
} from './vendor.ts'

type Model = Priced & {
  /** `prompt`: $35 per 1,000 grounded prompts; `query`: $14 per 1,000 queries of search. */
  search: 'prompt' | 'query'
}

/**
 * https://ai.google.dev/gemini-api/docs/pricing, paid tier: input, output "including thinking tokens", context caching.
 * 2.5 Flash and Flash-Lite list audio input apart; its cached price is a tenth of it. Gemini 4: a transcription of the
 * page, "cached input $0.15; Batch and Flex 0.5x, Priority (Fast) 1.8x ($5.40 / $27.00); Google Search $14 / 1,000".
 */
const models: Record<string, Model> = {
  'gemini-2.5-pro': {
    input: '1.25',
    cached: '0.125',
    output: '10',
    long: { above: 200_000, input: '2.5', cached: '0.25', output: '15' },
    search: 'prompt',
  },
  'gemini-2.5-flash': {
    input: '0.3',
    cached: '0.03',
    output: '2.5',
    audioInput: '1',
    audioCached: '0.1',
    search: 'prompt',
  },
  'gemini-2.5-flash-lite': {
    input: '0.1',
    cached: '0.01',
    output: '0.4',
    audioInput: '0.3',
    audioCached: '0.03',
    search: 'prompt',
  },
  'gemini-3.1-pro-preview': {
    input: '2',
    cached: '0.2',
    output: '12',
    long: { above: 200_000, input: '4', cached: '0.4', output: '18' },
    search: 'query',
  },
  'gemini-4-neon': { input: '3', cached: '0.15', output: '15', search: 'query' },
}

/**
 * Flex "50% of standard price, billed per token"; Priority "75% to 100% more than standard", which the rows of the price
 * page make 1.8 (2.5 Pro $2.25 / $18.00). https://ai.google.dev/gemini-api/docs/optimization
 */
const ratios: Record<string, string> = { standard: '1', flex: '0.5', priority: '1.8' }

type Usage = {
  prompt: number
  audio: number
  cached: number
  /** Of the cached tokens, those of sound. */
  cachedAudio: number
  toolPrompt: number
  candidates: number
  thoughts: number
}

const usageOf = ({ body, figures }: Call, model: Model): Usage => {
  const prompt = promptLength(figures, model.long?.above)
  const hasAudio = model.audioInput !== undefined && /"audio\//.test(JSON.stringify(body))
  const audio = hasAudio ? shareOf(figures, prompt) : 0
  const cachedText = shareOf(figures, prompt - audio)
  const cachedAudio = shareOf(figures, audio)
  const readsPages = body.tools?.some((each: Json) => each.url_context ?? each.urlContext)
  const pages = readsPages ? figures.between(100, 8_000) : 0
  // No page says whether "prompts > 200k tokens" counts the pages that a tool read: none are read where it matters.
  const limit = model.long?.above ?? 0
  const isDoubtful = prompt <= limit && prompt + pages > limit
  return {
    prompt,
    audio,
    cached: cachedText + cachedAudio,
    cachedAudio,
    toolPrompt: isDoubtful ? 0 : pages,
    candidates: figures.between(1, 4_000),
    thoughts: figures.chance(60) ? figures.between(1, 3_000) : 0,
  }
}

const linesOf = (usage: Usage, model: Model, ratio: string): Line[] => {
  const { prompt, audio, cached, cachedAudio, toolPrompt, candidates, thoughts } = usage
  const { long, ...short } = model
  const price: Rates = long && prompt > long.above ? long : short
  const at = (rate: string | undefined) => times(rate ?? '0', ratio)
  const cachedText = cached - cachedAudio
  return [
    tokens('input', prompt - audio - cachedText + toolPrompt, at(price.input)),
    tokens('audio input', audio - cachedAudio, at(price.audioInput)),
    tokens('cached', cachedText, at(price.cached)),
    tokens('cached audio', cachedAudio, at(price.audioCached)),
    tokens('output', candidates + thoughts, at(price.output)),
  ]
}

const modality = (audio: number, all: number) => [
  { modality: 'TEXT', tokenCount: all - audio },
  ...(audio ? [{ modality: 'AUDIO', tokenCount: audio }] : []),
]

/** https://ai.google.dev/api/generate-content#UsageMetadata: the prompt includes cached tokens, candidates no thoughts. */
const metadataOf = (usage: Usage) => ({
  promptTokenCount: usage.prompt,
  candidatesTokenCount: usage.candidates,
  totalTokenCount: usage.prompt + usage.candidates + usage.thoughts + usage.toolPrompt,
  promptTokensDetails: modality(usage.audio, usage.prompt),
  ...(usage.cached
    ? {
        cachedContentTokenCount: usage.cached,
        cacheTokensDetails: modality(usage.cachedAudio, usage.cached),
      }
    : {}),
  ...(usage.toolPrompt ? { toolUsePromptTokenCount: usage.toolPrompt } : {}),
  ...(usage.thoughts ? { thoughtsTokenCount: usage.thoughts } : {}),
})

const searchesOf = (
  { body, figures }: Call,
  model: Model,
): { queries: string[]; lines: Line[] } => {
  const canSearch = body.tools?.some((each: Json) => each.google_search ?? each.googleSearch)
  if (!canSearch) return { queries: [], lines: [] }
  const queries = Array.from({ length: figures.between(0, 3) }, (_, at) => `weather ${at}`)
  const line =
    model.search === 'prompt'
      ? toolCalls('grounded prompt', queries.length ? 1 : 0, '35')
      : toolCalls('search queries', queries.length, '14')
  return { queries, lines: [line] }
}

/**
 * The same models at Vertex AI, where a header asks for a tier and `trafficType` tells the one that served:
 * https://docs.cloud.google.com/vertex-ai/generative-ai/docs/priority-paygo. `serviceTier` "is not supported in Vertex AI".
 */
const vertexModels: Record<string, Model> = {
  'gemini-3-pro-preview': models['gemini-3.1-pro-preview']!,
}
const tierHeader = 'x-vertex-ai-llm-shared-request-type'
const trafficTypes: Record<string, string> = {
  standard: 'ON_DEMAND',
  flex: 'ON_DEMAND_FLEX',
  priority: 'ON_DEMAND_PRIORITY',
}

export const vertex: Vendor = {
  name: 'vertex',
  prices: vertexModels,
  answer: call => {
    const model = vertexModels[call.model]
    if (!model) return refuse(`Publisher Model ${call.model} was not found`, 404)
    if (call.body.service_tier ?? call.body.serviceTier)
      return refuse('Unknown name "serviceTier": Cannot find field.')
    const requested = String(call.headers[tierHeader] ?? 'standard').toLowerCase()
    return answer(call, model, requested, tier => ({
      usage: { trafficType: trafficTypes[tier] },
      headers: {},
    }))
  },
}

export const gemini: Vendor = {
  name: 'gemini',
  prices: models,
  answer: call => {
    const model = models[call.model]
    if (!model) return refuse(`models/${call.model} is not found`, 404)
    const requested = String(call.body.service_tier ?? call.body.serviceTier ?? 'standard')
    return answer(call, model, requested.toLowerCase(), tier => ({
      usage: { serviceTier: tier },
      headers: { 'x-gemini-service-tier': tier },
    }))
  },
}

/** How an answer names the tier that served it. */
type Naming = (tier: string) => { usage: object; headers: Record<string, string> }

const answer = (call: Call, model: Model, requested: string, nameOf: Naming): Answer => {
  const { figures } = call
  if (!ratios[requested]) return refuse(`Invalid value at 'service_tier': ${requested}`)
  // "The system gracefully downgrades the request to standard", and the answer says so.
  const served = requested === 'priority' && figures.chance(20) ? 'standard' : requested
  const names = nameOf(served)
  const usage = usageOf(call, model)
  const searches = searchesOf(call, model)
  const grounding = searches.queries.length
    ? { groundingMetadata: { webSearchQueries: searches.queries } }
    : {}
  const frame = (text: string, last: boolean) => ({
    candidates: [
      {
        content: { role: 'model', parts: [{ text }] },
        index: 0,
        ...(last ? { finishReason: 'STOP', ...grounding } : {}),
      },
    ],
    ...(last ? { usageMetadata: { ...metadataOf(usage), ...names.usage } } : {}),
    modelVersion: call.model,
    responseId: `r-${call.id}`,
  })
  const wire = call.streamed
    ? { frames: [event(frame('It is ', false)), event(frame('so.', true))] }
    : { body: frame('It is so.', true) }
  return {
    status: 200,
    headers: names.headers,
    ...wire,
    lines: [...linesOf(usage, model, ratios[served]!), ...searches.lines],
    served,
  }
}
