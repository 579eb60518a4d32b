import type { ModelRule } from '@hub/dialects'

const date = '2026-11-28'
/** These pages were read for an earlier release. */
const earlier = '2026-11-27'
const docs = 'https://platform.claude.com/docs/en'
const fable51 = `${docs}/models/fable-5-1/migration-guide`
const fable5 = `${docs}/models/fable-5/migration-guide`
const opus55 = `${docs}/models/opus-5-5/migration-guide`
const sonnet55 = `${docs}/models/sonnet-5-5/migration-guide`

const claude = /claude/
const newest = /claude-(opus|sonnet|haiku)-(5[.-][5-9](?!\d)|[6-9](?!\d))/
const fable = /claude-(fable|mythos)/
const laterFable = /claude-(fable|mythos)-(5[.-][1-9](?!\d)|[6-9](?!\d))/
const withoutPrefill =
  /claude-(fable|mythos)|claude-(opus|sonnet)-4[.-]([6-9]|[1-9]\d)(?!\d)|claude-(opus|sonnet|haiku)-[5-9](?!\d)/

export const anthropicRules: readonly ModelRule[] = [
  {
    // `metadata.user_id` has one of both ids.
    kind: 'lengths',
    user: 256,
    safetyId: 256,
    dialect: 'anthropic',
    source: `${docs}/api/messages#metadata`,
    date: earlier,
  },
  {
    // "name: String should match pattern '^[a-zA-Z0-9_-]{1,128}$'"
    kind: 'tool-names',
    pattern: /^[a-zA-Z0-9_-]{1,128}$/,
    source: 'https://github.com/home-assistant/core/issues/147760',
    date: earlier,
  },
  {
    // "tool_use.id: String should match pattern '^[a-zA-Z0-9_-]+$'"
    kind: 'call-ids',
    pattern: /^[a-zA-Z0-9_-]+$/,
    source: 'https://github.com/maximhq/bifrost/issues/5097',
    date: earlier,
  },
  {
    // "all messages must have non-empty content except for the optional final assistant message"
    // White space: https://github.com/home-assistant/core/issues/175637, empty blocks: https://github.com/anthropics/claude-code/issues/59812
    kind: 'empty-messages',
    of: 'everybody',
    refused: ['string', 'list', 'text', 'blank'],
    acceptsLast: true,
    acceptsThoughts: true,
    dialect: 'anthropic',
    source: 'https://github.com/anthropics/claude-code/issues/6774',
    date: '2026-11-29',
  },
  {
    // "A maximum of 4 blocks with cache_control may be provided. Found 5."
    kind: 'cache-marks',
    max: 4,
    models: claude,
    source: 'https://github.com/continuedev/continue/pull/6937',
    date,
  },
  {
    // "This model does not support assistant message prefill. The conversation must end with a user message."
    kind: 'prefill',
    as: 'refused',
    models: withoutPrefill,
    source: 'https://github.com/ericc-ch/copilot-api/pull/261',
    date,
  },
  { kind: 'forced-tools', while: 'always', models: laterFable, source: fable51, date },
  { kind: 'forced-tools', while: 'always', models: newest, source: opus55, date },
  {
    kind: 'thinking',
    byDefault: true,
    off: { thinking: { type: 'between_tools' } },
    models: /claude-sonnet-5[.-][5-9](?!\d)/,
    source: sonnet55,
    date,
  },
  { kind: 'thinking', byDefault: true, models: fable, source: fable5, date },
  { kind: 'thinking', byDefault: true, models: newest, source: opus55, date },
  {
    kind: 'efforts',
    accepted: ['low', 'medium', 'high', 'xhigh', 'max'],
    models: fable,
    source: fable5,
    date,
  },
  {
    kind: 'efforts',
    accepted: ['low', 'medium', 'high', 'xhigh', 'max'],
    models: newest,
    source: opus55,
    date,
  },
]
