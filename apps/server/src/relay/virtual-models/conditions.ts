import type { CandidateReason, VirtualCandidate } from '@hub/contract'
import type { ParsedRequest } from '@hub/dialects'
import type { App } from '../../core/app.ts'
import { appScoped } from '../../core/app-scoped.ts'
import { isWithin, makeTimeOfDayFormatter } from '../../lib/time/time-of-day.ts'

/** The parts of a request that conditions look at. */
export type RequestTraits = {
  /** The estimated prompt. */
  tokens: number
  tools: boolean
  images: boolean
  /** `HH:MM` in the site's time zone. */
  timeOfDay: string
}

type Conditions = Pick<
  VirtualCandidate,
  'min_tokens' | 'max_tokens' | 'tools' | 'images' | 'from' | 'until'
>

/** The first condition of the candidate that the request does not meet. */
export const unmetCondition = (
  { min_tokens, max_tokens, tools, images, from, until }: Conditions,
  traits: RequestTraits,
): CandidateReason | undefined => {
  if (traits.tokens < (min_tokens ?? 0)) return 'tokens'
  if (traits.tokens > (max_tokens ?? Number.POSITIVE_INFINITY)) return 'tokens'
  if (tools !== 'any' && (tools === 'with') !== traits.tools) return 'tools'
  if (images !== 'any' && (images === 'with') !== traits.images) return 'images'
  return from !== '' && !isWithin(traits.timeOfDay, from, until) ? 'time' : undefined
}

/** Files count as images, as they do in the estimate of the prompt. */
export const traitsOf = (parsed: ParsedRequest, timeOfDay: string): RequestTraits => ({
  tokens: parsed.promptTokens,
  tools: parsed.hasTools,
  images: parsed.hasMediaLinks === true || (parsed.mediaTokens ?? 0) > 0,
  timeOfDay,
})

const formatters = appScoped(() => new Map<string, (seconds: number) => string>())

/** The site's time of day, `HH:MM`. */
export const timeOfDayAt = (app: App, seconds: number): string => {
  const { TimeZone } = app.settings().site
  const known = formatters(app).get(TimeZone)
  const format = known ?? makeTimeOfDayFormatter(TimeZone)
  if (!known) formatters(app).set(TimeZone, format)
  return format(seconds)
}
