import type { ModelRule } from '@hub/dialects'

const date = '2026-11-28'
const read = '2026-11-29'
/** These pages were read for an earlier release. */
const earlier = '2026-11-27'
/** Models of Mistral's, which other hosts serve with the same template. */
const family = /(mistral|ministral|mixtral|codestral|devstral|magistral|pixtral)/

export const mistralRules: readonly ModelRule[] = [
  {
    kind: 'tool-names',
    pattern: /^[a-zA-Z0-9_-]{1,64}$/,
    source: 'https://docs.mistral.ai/api/#tag/chat',
    date: earlier,
  },
  {
    // "Tool call id was … but must be a-z, A-Z, 0-9, with a length of 9."
    kind: 'call-ids',
    pattern: /^[a-zA-Z0-9]{9}$/,
    isNarrow: true,
    source: 'https://github.com/karthink/gptel/issues/1203',
    date: earlier,
  },
  {
    // "Unexpected role 'user' after role 'tool'"
    kind: 'assistant-after-tool',
    dialect: 'openai-chat',
    models: family,
    source: 'https://github.com/zed-industries/zed/issues/37021',
    date,
  },
  {
    // "Assistant message must have either content or tool_calls, but not none." A list of empty texts is content.
    kind: 'empty-messages',
    of: 'assistant',
    refused: ['missing', 'string', 'list'],
    models: family,
    source:
      'https://github.com/mistralai/mistral-common/blob/main/src/mistral_common/protocol/instruct/validator.py',
    date: read,
  },
  {
    // "Expected last role User or Tool (or Assistant with prefix True) for serving but got assistant"
    kind: 'prefill',
    as: 'prefix',
    source: 'https://github.com/huggingface/smolagents/issues/757',
    date,
  },
]
