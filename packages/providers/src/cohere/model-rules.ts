import type { ModelRule } from '@hub/dialects'

export const cohereRules: readonly ModelRule[] = [
  {
    // "up to 5 strings that the model will use to stop generation"
    kind: 'stops',
    max: 5,
    source: 'https://docs.cohere.com/reference/chat',
    date: '2026-11-27',
  },
]
