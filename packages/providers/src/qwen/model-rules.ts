import type { ModelRule } from '@hub/dialects'

const date = '2026-11-28'
/** These pages were read for an earlier release. */
const earlier = '2026-11-27'
const guide = 'https://help.aliyun.com/zh/model-studio/deep-thinking'
const off = { enable_thinking: false }
const on = { enable_thinking: true }
const qwen = /(^|[/:.])(qwen|qwq|qvq)/

export const qwenRules: readonly ModelRule[] = [
  {
    // "The length of the tool name cannot exceed 64."
    kind: 'tool-names',
    pattern: /^[a-zA-Z0-9_-]{1,64}$/,
    source: 'https://github.com/QwenLM/Qwen3-VL/issues/2069',
    date: earlier,
  },
  {
    kind: 'thinking',
    byDefault: true,
    models: /(^|[/:.])(qwq|qvq|qwen3[\w.-]*-thinking)/,
    source: guide,
    date: earlier,
  },
  {
    kind: 'thinking',
    byDefault: true,
    off,
    on,
    models: /(^|[/:.])qwen3\.\d/,
    source: 'https://github.com/can1357/oh-my-pi/issues/886',
    date,
  },
  { kind: 'thinking', byDefault: false, off, on, models: qwen, source: guide, date: earlier },
  {
    // "The tool_choice parameter does not support being set to required or object in thinking mode"
    kind: 'forced-tools',
    while: 'thinking',
    models: qwen,
    source: 'https://github.com/cloudwego/eino/issues/994',
    date,
  },
  {
    // "System message must be at the beginning." The chat template says so, at every server that uses it.
    kind: 'instructions-first',
    dialect: 'openai-chat',
    models: /(^|[/:.])qwen-?(3\.[5-9]|[4-9])/i,
    source: 'https://github.com/vllm-project/vllm/issues/41114',
    date,
  },
]
