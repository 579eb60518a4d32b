import { outputTokens, type Usage } from '@hub/dialects/usage'
import type { App } from '../../core/app.ts'
import type { Quote } from '../quote.ts'
import type { Meter } from './meter.ts'

/** A vendor that counts more than this many times the output limit, and the margin, ignores the limit or counts wrongly. */
export const limitFactor = 4
export const limitMargin = 1_024
/** Reasoning above that, which some vendors exclude from the limit. None documents a larger budget. */
export const reasoningMax = 131_072

/**
 * A usage whose output is within what the request allows, times the factor. What was delivered is charged in any case. A
 * call without a bound may consist of many answers.
 */
export const boundUsage = (
  app: App,
  { outputMost, unbounded }: Pick<Quote, 'outputMost' | 'unbounded'>,
  usage: Usage,
  meter: Pick<Meter, 'delivered'>,
): Usage => {
  if (outputMost === undefined || unbounded) return usage
  const allowed = Math.max(outputMost * limitFactor + limitMargin, outputTokens(meter.delivered()))
  const { reasoning } = usage
  const answer = outputTokens(usage) - reasoning
  if (answer <= allowed && reasoning <= allowed + reasoningMax) return usage
  app.metrics.alarms.inc({ kind: 'usage_capped' })
  const excess = Math.max(0, answer - allowed)
  // Answers of images and sound are priced by their own fields, so that text is what a limit bounds.
  return {
    ...usage,
    output: Math.max(0, usage.output - excess),
    reasoning: Math.min(reasoning, allowed + reasoningMax),
  }
}
