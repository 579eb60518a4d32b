import type { Allowance } from '../dialect.ts'

// https://platform.openai.com/docs/guides/rate-limits#rate-limits-in-headers
export const limitHeaders = ({ of, limit, remaining, resetSeconds }: Allowance): string[] => [
  `x-ratelimit-limit-${of}`,
  String(limit),
  `x-ratelimit-remaining-${of}`,
  String(remaining),
  `x-ratelimit-reset-${of}`,
  `${resetSeconds}s`,
]
