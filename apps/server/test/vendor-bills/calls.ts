import { type Figures, figuresOf } from '../../../../test/upstream/billing/figures.ts'

/** A caller's request, in any dialect, at one vendor's model. */
export type BilledCall = {
  id: string
  vendor: string
  model: string
  path: string
  body: Record<string, unknown>
  headers: Record<string, string>
}

type Draft = { fields: Record<string, unknown>; headers: Record<string, string> }

const some = <T>(figures: Figures, percent: number, values: readonly T[]): T | undefined =>
  figures.chance(percent) ? figures.pick(values) : undefined

const tiers = ['auto', 'default', 'flex', 'priority', 'fast', 'ultrafast', 'scale', 'turbo']

const openaiFields = (figures: Figures, isResponses: boolean, model: string): Draft => {
  const fields: Draft['fields'] = {
    service_tier: some(figures, 60, tiers),
    prompt_cache_retention: some(figures, 15, ['24h', 'in_memory', '12h']),
    prompt_cache_options: some(figures, 15, [{ ttl: '30m' }, { ttl: '12h' }]),
  }
  if (isResponses) {
    const tools = [
      some(figures, 20, [{ type: 'web_search' }]),
      some(figures, 10, [{ type: 'code_interpreter', container: { type: 'auto' } }]),
    ].filter(each => each !== undefined)
    if (tools.length > 0) fields.tools = tools
  } else if (model.startsWith('gpt-audio')) {
    fields.modalities = ['text', 'audio']
    fields.audio = { voice: 'alloy', format: 'wav' }
  }
  return { fields, headers: {} }
}

const claudeFields = (figures: Figures): Draft => {
  const cache = some(figures, 50, [
    { type: 'ephemeral' },
    { type: 'ephemeral', ttl: '5m' },
    { type: 'ephemeral', ttl: '1h' },
  ])
  const betas = [
    some(figures, 30, ['fast-mode-2026-02-01']),
    some(figures, 20, ['context-1m-2025-08-07']),
  ].filter(each => each !== undefined)
  return {
    fields: {
      speed: some(figures, 40, ['fast', 'standard', 'slow']),
      inference_geo: some(figures, 40, ['us', 'global', 'eu', 'moon']),
      service_tier: some(figures, 20, ['auto', 'standard_only', 'priority']),
      ...(cache && { system: [{ type: 'text', text: 'Be brief.', cache_control: cache }] }),
      ...(figures.chance(20) && {
        tools: [{ type: 'web_search_20250305', name: 'web_search', max_uses: 5 }],
      }),
    },
    headers: betas.length > 0 ? { 'anthropic-beta': betas.join(',') } : {},
  }
}

const geminiFields = (figures: Figures): Draft => {
  const name = figures.pick(['serviceTier', 'service_tier'])
  const tools = [
    some(figures, 20, [{ google_search: {} }, { googleSearch: {} }]),
    some(figures, 10, [{ url_context: {} }]),
  ].filter(each => each !== undefined)
  const values = ['standard', 'flex', 'priority', 'PRIORITY', 'unspecified', 'turbo']
  return {
    fields: { [name]: some(figures, 60, values), ...(tools.length > 0 && { tools }) },
    headers: {},
  }
}

const tierFields = (figures: Figures, values: readonly string[]): Draft => ({
  fields: { service_tier: some(figures, 60, values) },
  headers: {},
})

const grokFields = (figures: Figures, isResponses: boolean): Draft => {
  const { fields, headers } = tierFields(figures, ['default', 'priority', 'flex', 'turbo'])
  const tools = isResponses ? some(figures, 30, [[{ type: 'web_search' }]]) : undefined
  return { fields: { ...fields, tools }, headers }
}

const bedrockFields = (figures: Figures): Draft => {
  const tier = some(figures, 30, ['priority', 'flex', 'default', 'turbo'])
  const latency = some(figures, 20, ['optimized', 'standard'])
  return {
    fields: { service_tier: some(figures, 40, ['priority', 'flex', 'default', 'reserved']) },
    headers: {
      ...(tier && { 'x-amzn-bedrock-service-tier': tier }),
      ...(latency && { 'x-amzn-bedrock-performanceconfig-latency': latency }),
    },
  }
}

const routerFields = (figures: Figures): Draft => ({
  fields: {
    ...tierFields(figures, tiers).fields,
    plugins: some(figures, 10, [[{ id: 'web' }]]),
    models: some(figures, 10, [['deepseek/deepseek-v4-pro']]),
    provider: some(figures, 10, [{ sort: 'price' }]),
  },
  headers: {},
})

const dialects = ['chat', 'responses', 'messages', 'gemini'] as const
type Dialect = (typeof dialects)[number]

/** The dialects that a vendor speaks itself. */
const own: Record<string, readonly Dialect[]> = {
  openai: ['chat', 'responses'],
  anthropic: ['messages'],
  gemini: ['gemini'],
  vertex: ['gemini'],
  bedrock: ['chat', 'messages'],
  xai: ['chat', 'responses'],
}

const draftOf = (figures: Figures, vendor: string, model: string, dialect: Dialect): Draft => {
  if (!(own[vendor] ?? ['chat']).includes(dialect)) {
    // A caller of another dialect sends its own fields.
    if (dialect === 'messages') return claudeFields(figures)
    if (dialect === 'gemini') return geminiFields(figures)
    return tierFields(figures, tiers)
  }
  if (vendor === 'openai') return openaiFields(figures, dialect === 'responses', model)
  if (vendor === 'anthropic') return claudeFields(figures)
  if (vendor === 'gemini' || vendor === 'vertex') return geminiFields(figures)
  if (vendor === 'bedrock') return bedrockFields(figures)
  if (vendor === 'openrouter') return routerFields(figures)
  if (vendor === 'xai') return grokFields(figures, dialect === 'responses')
  const groq = ['auto', 'on_demand', 'flex', 'performance']
  return tierFields(figures, vendor === 'groq' ? groq : ['default', 'auto', 'priority'])
}

const requestOf = (dialect: Dialect, model: string, text: string, stream: boolean) => {
  const messages = [{ role: 'user', content: text }]
  switch (dialect) {
    case 'chat':
      return { path: '/v1/chat/completions', body: { model, messages, max_tokens: 8_000, stream } }
    case 'responses':
      return { path: '/v1/responses', body: { model, input: text, store: false, stream } }
    case 'messages':
      return { path: '/v1/messages', body: { model, messages, max_tokens: 8_000, stream } }
    case 'gemini': {
      const method = stream ? 'streamGenerateContent?alt=sse' : 'generateContent'
      const parts = [{ text }]
      return {
        path: `/v1beta/models/${encodeURIComponent(model)}:${method}`,
        body: { contents: [{ role: 'user', parts }] },
      }
    }
  }
}

/** An inline sound, of which the vendor alone says how many tokens it is. */
const withSound = (body: Record<string, unknown>) => {
  const [content] = body.contents as { parts: unknown[] }[]
  content!.parts.push({ inlineData: { mimeType: 'audio/wav', data: 'UklGRiQAAABXQVZF' } })
}

/** The call of a number: the same seed makes the same calls. */
export const makeCall = (
  seed: string,
  number: number,
  models: readonly { vendor: string; model: string }[],
): BilledCall => {
  const figures = figuresOf(`${seed} call ${number}`)
  const id = `call-${number}`
  const { vendor, model } = figures.pick(models)
  const ownDialects = own[vendor] ?? ['chat']
  // These vendors answer Messages or Responses themselves; their fakes answer chat only.
  const isManifold = vendor === 'openrouter' || vendor === 'deepseek'
  const others = isManifold ? (['chat', 'gemini'] as const) : dialects
  const dialect = figures.pick(figures.chance(20) ? others : ownDialects)
  const { fields, headers } = draftOf(figures, vendor, model, dialect)
  const { path, body } = requestOf(dialect, model, `Is it so? ${id}.`, figures.chance(50))
  if (vendor === 'gemini' && dialect === 'gemini' && figures.chance(30)) withSound(body)
  return { id, vendor, model, path, headers, body: { ...body, ...fields } }
}
