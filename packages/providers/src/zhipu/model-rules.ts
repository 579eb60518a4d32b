import type { ModelRule } from '@hub/dialects'

const date = '2026-11-28'
const glm = 'https://java.agentscope.io/v2/en/integration/model/glm'

export const zhipuRules: readonly ModelRule[] = [
  // "GLM only accepts tool_choice=auto"
  { kind: 'forced-tools', while: 'always', source: glm, date },
  {
    // "messages[2]:content和tool_calls 字段不能同时为空"
    kind: 'empty-messages',
    of: 'assistant',
    refused: ['missing', 'string', 'list'],
    source: 'https://github.com/songquanpeng/one-api/issues/1153',
    date: '2026-11-29',
  },
  {
    kind: 'thinking',
    byDefault: true,
    off: { thinking: { type: 'disabled' } },
    models: /glm-(4\.[5-9]|[5-9])/,
    source: glm,
    date,
  },
]
