import type { ModelRule } from '@hub/dialects'
import { anthropicRules } from '../anthropic/model-rules.ts'

/** These pages were read for an earlier release. */
const earlier = '2026-11-27'
const blocks =
  'https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_ToolUseBlock.html'

export const bedrockRules: readonly ModelRule[] = [
  { kind: 'tool-names', pattern: /^[a-zA-Z0-9_-]{1,64}$/, source: blocks, date: earlier },
  { kind: 'call-ids', pattern: /^[a-zA-Z0-9_-]{1,64}$/, source: blocks, date: earlier },
  {
    kind: 'cache-marks',
    max: 4,
    source: 'https://docs.aws.amazon.com/bedrock/latest/userguide/prompt-caching.html',
    date: earlier,
  },
  {
    // "x-anthropic-billing-header is a reserved keyword"
    kind: 'reserved-words',
    words: ['x-anthropic-billing-header'],
    source: 'https://github.com/anthropics/claude-code/issues/24168',
    date: earlier,
  },
  ...anthropicRules,
]
