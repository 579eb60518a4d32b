import type { ModelRule } from '@hub/dialects'

const date = '2026-11-28'
/** These pages were read for an earlier release. */
const earlier = '2026-11-27'
const guide = 'https://docs.x.ai/docs/guides/reasoning'

/** Reasoning models refuse stop sequences and penalties with 400, whatever the caller's dialect. */
export const withoutSampling = /^grok-(3-mini|build|latest|[4-9])(?!.*non-reasoning)/
/** grok-4.3 and later accept efforts. */
export const withoutEffort = /^grok-(3(?!-mini)|4(?!\.)|4\.20(?!.*multi-agent))/

export const xaiRules: readonly ModelRule[] = [
  {
    kind: 'efforts',
    accepted: ['none', 'low', 'medium', 'high'],
    models: /grok-4\.3/,
    source: 'https://github.com/vercel/ai/releases/tag/@ai-sdk%2Fxai@4.0.8',
    date,
  },
  {
    kind: 'efforts',
    accepted: ['low', 'medium', 'high'],
    models: /grok-4\.[4-9](?!\d)/,
    source: 'https://github.com/anomalyco/opencode/issues/39448',
    date,
  },
  {
    kind: 'efforts',
    accepted: [],
    models: withoutEffort,
    source: 'https://github.com/vercel/ai/releases/tag/@ai-sdk%2Fxai@4.0.8',
    date,
  },
  {
    kind: 'thinking',
    byDefault: true,
    off: 'effort-none',
    isHidden: true,
    models: /grok-4\.3/,
    source: 'https://github.com/vercel/ai/releases/tag/@ai-sdk%2Fxai@4.0.8',
    date,
  },
  {
    kind: 'thinking',
    byDefault: true,
    isHidden: true,
    models: /grok-4\.[4-9](?!\d)/,
    source: 'https://github.com/anomalyco/opencode/issues/39448',
    date,
  },
  {
    kind: 'thinking',
    byDefault: true,
    isHidden: true,
    models: /^grok-4(?!\.(?!20))(?!.*(non-reasoning|multi-agent))/,
    source: guide,
    date: earlier,
  },
  {
    // "Every message needs at least one non-empty content element.", of [] too: https://github.com/AstrBotDevs/AstrBot/issues/6447
    kind: 'empty-messages',
    of: 'everybody',
    refused: ['missing', 'string', 'list', 'text'],
    dialect: 'openai-chat',
    source: 'https://github.com/langbot-app/LangBot/issues/1205',
    date: '2026-11-29',
  },
  {
    kind: 'sampling',
    while: 'always',
    models: withoutSampling,
    fields: ['presencePenalty', 'frequencyPenalty', 'stop'],
    source: guide,
    date: earlier,
  },
]
