import type { ModelRule } from '@hub/dialects'

/** These pages were read for an earlier release. */
const earlier = '2026-11-27'

export const groqRules: readonly ModelRule[] = [
  {
    // "Up to 4 sequences where the API will stop generating further tokens."
    kind: 'stops',
    max: 4,
    source: 'https://console.groq.com/docs/api-reference#chat-create',
    date: earlier,
  },
]
