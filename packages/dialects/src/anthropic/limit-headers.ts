import type { Allowance } from '../dialect.ts'

// https://docs.anthropic.com/en/api/rate-limits#response-headers: the reset is a moment, RFC 3339 in whole seconds.
export const limitHeaders = (
  { of, limit, remaining, resetSeconds }: Allowance,
  now: number,
): string[] => [
  `anthropic-ratelimit-${of}-limit`,
  String(limit),
  `anthropic-ratelimit-${of}-remaining`,
  String(remaining),
  `anthropic-ratelimit-${of}-reset`,
  new Date(now + resetSeconds * 1000).toISOString().replace(/\.\d+Z$/, 'Z'),
]
