import type { ModelRule } from '@hub/dialects'

const date = '2026-11-28'

export const groqRules: readonly ModelRule[] = [
  {
    // "Up to 4 sequences where the API will stop generating further tokens."
    kind: 'stops',
    max: 4,
    source: 'https://console.groq.com/docs/api-reference#chat-create',
    date,
  },
]
