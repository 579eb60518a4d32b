import type { ModelRule } from '@hub/dialects'

const date = '2026-11-28'
/** These pages were read for an earlier release. */
const earlier = '2026-11-27'
const guide = 'https://api-docs.deepseek.com/guides/thinking_mode'
const thinkingModels = /deepseek-(v[4-9]|flash|pro)/

export const deepseekRules: readonly ModelRule[] = [
  {
    kind: 'tool-names',
    pattern: /^[a-zA-Z0-9_-]{1,64}$/,
    source: 'https://github.com/mrexodia/ida-pro-mcp/issues/129',
    date: earlier,
  },
  {
    kind: 'thinking',
    byDefault: true,
    off: { thinking: { type: 'disabled' } },
    models: thinkingModels,
    source: guide,
    date,
  },
  {
    // "Thinking mode does not support this tool_choice"
    kind: 'forced-tools',
    while: 'thinking',
    models: thinkingModels,
    source: 'https://github.com/deepseek-ai/DeepSeek-V3/issues/1376',
    date,
  },
  {
    // "Invalid assistant message: content or tool_calls must be set". An empty text is accepted.
    kind: 'empty-messages',
    of: 'assistant',
    refused: ['missing'],
    source: 'https://github.com/carlrobertoh/ProxyAI/issues/834',
    date: '2026-11-29',
  },
  // "The reasoning_content in the thinking mode must be passed back to the API."
  { kind: 'reasoning-content', models: thinkingModels, source: guide, date },
]
