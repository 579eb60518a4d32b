import type { ModelRule } from '@hub/dialects'

const date = '2026-11-28'
const read = '2026-11-29'
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
    // "the message at position 1 with role 'user' must not be empty", also of null: https://github.com/Toloka/tolokaforge/issues/1284
    // "text content is empty" of a part: https://github.com/BerriAI/litellm/issues/42186
    kind: 'empty-messages',
    of: 'everybody',
    refused: ['missing', 'string', 'list', 'text'],
    models: /kimi|moonshot/,
    source: 'https://github.com/rikkahub/rikkahub/issues/436',
    date: read,
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
