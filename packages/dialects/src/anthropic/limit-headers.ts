import type { RateLimitStatus } from '../dialect.ts'

/** The reset is an RFC 3339 time in whole seconds. https://docs.anthropic.com/en/api/rate-limits#response-headers */
export const limitHeaders = (
  { unit, limit, remaining, resetSeconds }: RateLimitStatus,
  now: number,
): string[] => [
  `anthropic-ratelimit-${unit}-limit`,
  String(limit),
  `anthropic-ratelimit-${unit}-remaining`,
  String(remaining),
  `anthropic-ratelimit-${unit}-reset`,
  new Date(now + resetSeconds * 1000).toISOString().replace(/\.\d+Z$/, 'Z'),
]
