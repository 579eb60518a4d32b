import type { ModelRule } from '@hub/dialects'

const date = '2026-11-28'
/** These pages were read for an earlier release. */
const earlier = '2026-11-27'
const thinking = 'https://ai.google.dev/gemini-api/docs/thinking'
/** The alias is the newest Pro. */
const gemini3Pro = /gemini-(([3-9]|\d\d)[\w.]*-pro|pro-latest)/
const gemini25Pro = /gemini-2\.5-pro/

export const geminiRules: readonly ModelRule[] = [
  {
    // "The number of stop_sequences must not exceed 5."
    kind: 'stops',
    max: 5,
    source: 'https://github.com/continuedev/continue/issues/2702',
    date: earlier,
  },
  {
    // "Must start with a letter or an underscore. Must be alphameric …, underscores (_), dots (.) or dashes (-), with a maximum length of 64."
    kind: 'tool-names',
    pattern: /^[a-zA-Z_][a-zA-Z0-9_.-]{0,63}$/,
    source: 'https://github.com/google-gemini/gemini-cli/issues/6704',
    date: earlier,
  },
  {
    // "Unable to submit request because it must include at least one parts field"
    kind: 'empty-messages',
    of: 'everybody',
    refused: ['missing', 'list'],
    models: /gemini/,
    source: 'https://github.com/agno-agi/agno/pull/6644',
    date,
  },
  {
    // "Thinking level MEDIUM is not supported for this model."
    kind: 'efforts',
    accepted: ['low', 'high'],
    models: /gemini-3-pro/,
    source: 'https://github.com/egoist/chatwise-releases/issues/1206',
    date,
  },
  {
    // "Thinking level MINIMAL is not supported for this model."
    kind: 'efforts',
    accepted: ['low', 'medium', 'high'],
    models: gemini3Pro,
    source: 'https://github.com/vellum-ai/vellum-assistant/pull/32687',
    date,
  },
  {
    kind: 'efforts',
    accepted: ['low', 'medium', 'high'],
    models: /gemini-3\.7-flash/,
    source: 'https://github.com/bolna-ai/bolna/pull/956',
    date,
  },
  {
    kind: 'thinking',
    byDefault: true,
    models: gemini3Pro,
    source: 'https://github.com/vellum-ai/vellum-assistant/pull/32687',
    date,
  },
  {
    kind: 'thinking',
    byDefault: true,
    models: /gemini-3\.7-flash/,
    source: 'https://github.com/bolna-ai/bolna/pull/956',
    date,
  },
  // "Budget 0 is invalid. This model only works in thinking mode."
  {
    kind: 'thinking',
    byDefault: true,
    models: gemini25Pro,
    source: 'https://github.com/vercel/ai/issues/8027',
    date,
  },
  { kind: 'budgets', min: 128, max: 32_768, models: gemini25Pro, source: thinking, date },
  {
    kind: 'budgets',
    min: 512,
    max: 24_576,
    models: /gemini-2\.5-flash-lite/,
    source: thinking,
    date,
  },
  { kind: 'budgets', min: 1, max: 24_576, models: /gemini-2\.5-flash/, source: thinking, date },
]
