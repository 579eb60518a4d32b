import type { RateLimitStatus } from '../dialect.ts'
import { splice } from '../json/splice.ts'
import { decodeFault, encodeFault, encodeFaultEvent } from './errors.ts'
import { decodeUsage } from './usage.ts'

/** Constants, because building the names for each response costs more than the rest of it. */
const names = {
  requests: {
    limit: 'x-ratelimit-limit-requests',
    remaining: 'x-ratelimit-remaining-requests',
    reset: 'x-ratelimit-reset-requests',
  },
  tokens: {
    limit: 'x-ratelimit-limit-tokens',
    remaining: 'x-ratelimit-remaining-tokens',
    reset: 'x-ratelimit-reset-tokens',
  },
} as const

// https://platform.openai.com/docs/guides/rate-limits#rate-limits-in-headers
export const limitHeaders = ({
  unit: of,
  limit,
  remaining,
  resetSeconds,
}: RateLimitStatus): string[] => [
  names[of].limit,
  String(limit),
  names[of].remaining,
  String(remaining),
  names[of].reset,
  `${resetSeconds}s`,
]

/** The parts that every operation of OpenAI's API shares with chat: JSON bodies, errors, rate limits. */
export const openaiBase = {
  id: 'openai-chat',
  splice,
  decodeUsage,
  decodeFault,
  encodeFault,
  encodeFaultEvent,
  limitHeaders,
  ping: ': ping\n\n',
} as const
