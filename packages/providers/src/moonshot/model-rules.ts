import type { ModelRule } from '@hub/dialects'

const date = '2026-11-28'
const overview = 'https://platform.kimi.ai/docs/api/models-overview'
const kimi = /kimi-/
/** Kimi models that can do without thoughts. */
const switchable = /kimi-k2\.[56](?![\w.-]*code)/
const thinkingModels = /kimi-(k2\.[5-9]|k2-thinking|k[3-9]|for-coding)/

export const moonshotRules: readonly ModelRule[] = [
  {
    kind: 'stops',
    max: 5,
    models: kimi,
    source:
      'https://dev.to/aihubmix/kimi-k3-api-guide-reasoning-tool-calling-structured-output-and-vision-bn3',
    date,
  },
  {
    kind: 'efforts',
    accepted: ['low', 'high', 'max'],
    models: /kimi-k[3-9]/,
    source: 'https://java.agentscope.io/v2/en/integration/model/kimi',
    date,
  },
  {
    kind: 'thinking',
    byDefault: true,
    off: { thinking: { type: 'disabled' } },
    models: switchable,
    source: overview,
    date,
  },
  {
    kind: 'thinking',
    byDefault: true,
    models: thinkingModels,
    source: 'https://java.agentscope.io/v2/en/integration/model/kimi',
    date,
  },
  {
    // "tool_choice specified is incompatible with thinking enabled"
    kind: 'forced-tools',
    while: 'thinking',
    models: thinkingModels,
    source: 'https://github.com/can1357/oh-my-pi/issues/1077',
    date,
  },
  {
    // "thinking is enabled but reasoning_content is missing in assistant tool call message at index 7"
    kind: 'reasoning-content',
    models: thinkingModels,
    source: 'https://github.com/QuantumNous/new-api/issues/3121',
    date,
  },
  {
    // "The message at position 307 with role 'assistant' must not be empty"
    kind: 'empty-messages',
    of: 'assistant',
    models: /kimi|moonshot/,
    source: 'https://github.com/MoonshotAI/kimi-code/issues/1985',
    date,
  },
  {
    // "invalid temperature: only 1 is allowed for this model"
    kind: 'sampling',
    while: 'always',
    models: kimi,
    fields: ['temperature', 'topP', 'n', 'presencePenalty', 'frequencyPenalty'],
    source: overview,
    date,
  },
]
