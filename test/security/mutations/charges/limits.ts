import type { SecurityMutation } from '../mutation.ts'

/** Limits of answers and of their charges. */
export const limitsMutations: readonly SecurityMutation[] = [
  {
    ids: ['L19'],
    file: 'apps/server/src/billing/calls/bound-usage.ts',
    find: 'const excess = Math.max(0, answer - allowed)',
    replace: 'const excess = 0',
    test: 'apps/server/src/billing/calls/reserve.test.ts',
    title:
      'REL-5 a count above four times the allowed output is charged at that bound, with an alarm',
  },
  {
    ids: ['L19'],
    file: 'apps/server/src/billing/calls/bound-usage.ts',
    find: 'Math.min(reasoning, allowed + reasoningMax)',
    replace: 'reasoning',
    test: 'apps/server/src/billing/calls/bound-usage.test.ts',
    title: 'is charged up to 131,072 tokens of reasoning above that bound',
  },
  {
    ids: ['L19'],
    file: 'apps/server/src/billing/calls/bound-usage.ts',
    find: "app.metrics.alarms.inc({ kind: 'usage_capped' })\n",
    replace: '',
    test: 'apps/server/src/billing/calls/reserve.test.ts',
    title:
      'REL-5 a count above four times the allowed output is charged at that bound, with an alarm',
  },
  {
    ids: ['L19'],
    file: 'apps/server/src/billing/calls/bound-usage.ts',
    find: 'Math.max(outputMost * limitFactor + limitMargin, outputTokens(meter.delivered()))',
    replace: 'outputMost * limitFactor + limitMargin',
    test: 'apps/server/src/billing/calls/bound-usage.test.ts',
    title: 'is charged with all that was delivered, however much it is',
  },
  {
    ids: ['L19'],
    file: 'apps/server/src/billing/calls/bound-usage.ts',
    find: 'outputMost === undefined || unbounded',
    replace: 'outputMost === undefined',
    test: 'apps/server/src/billing/calls/bound-usage.test.ts',
    title: 'is charged as reported where the call has no bound or no limit',
  },
  {
    ids: ['L19'],
    file: 'apps/server/src/relay/plan-call.ts',
    find: 'const body = limitOutput!(parsed, limit, parsed.model)',
    replace: 'const { body } = parsed',
    test: 'apps/server/test/output-limits/output-limits.test.ts',
    title: 'is served with the covered limit where the prompt and 4,096 tokens are covered',
  },
  {
    ids: ['L19'],
    file: 'apps/server/src/relay/operations/unseen-output.ts',
    find: 'isHidden ||= hidesReasoning(parsed, model)\n',
    replace: '',
    test: 'apps/server/test/output-limits/output-limits.test.ts',
    title: 'a response over a WebSocket that hides its reasoning gets the covered limit',
  },
  {
    ids: ['L19'],
    file: 'apps/server/src/relay/operations/unseen-output.ts',
    find: 'const isUnseen = !stream || isHidden',
    replace: 'const isUnseen = isHidden',
    test: 'apps/server/test/output-limits/output-limits.test.ts',
    title: 'is served with the covered limit where the prompt and 4,096 tokens are covered',
  },
  {
    ids: ['L19'],
    file: 'apps/server/src/billing/calls/reserve.ts',
    find: 'outputMost: outputBound && outputBound.most * n',
    replace: 'outputMost: outputBound && outputBound.most',
    test: 'apps/server/src/billing/calls/reserve.test.ts',
    title:
      'REL-5 a count above four times the allowed output is charged at that bound, with an alarm',
  },
  {
    ids: ['L19'],
    file: 'apps/server/src/billing/calls/reserve.ts',
    find: '{ ...least, unbounded: unboundedHolds.alone }',
    replace: 'least',
    test: 'apps/server/src/billing/calls/reserve.test.ts',
    title: 'a stream of hidden reasoning under a named limit runs as the only one of its payer',
  },
]
