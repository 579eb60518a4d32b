const statuses: Readonly<Record<string, number>> = {
  invalid_request_error: 400,
  invalid_prompt: 400,
  context_length_exceeded: 400,
  INVALID_ARGUMENT: 400,
  FAILED_PRECONDITION: 400,
  authentication_error: 401,
  UNAUTHENTICATED: 401,
  permission_error: 403,
  PERMISSION_DENIED: 403,
  not_found_error: 404,
  NOT_FOUND: 404,
  request_too_large: 413,
  rate_limit_error: 429,
  rate_limit_exceeded: 429,
  RESOURCE_EXHAUSTED: 429,
  overloaded_error: 529,
  server_is_overloaded: 529,
  slow_down: 529,
  UNAVAILABLE: 503,
  DEADLINE_EXCEEDED: 504,
}

/** The status that goes with a vendor's words; 500 where they say nothing that is known. */
export const statusIn = ({ type, code }: { type: string; code: string }): number => {
  const number = Number(code)
  if (Number.isInteger(number) && number >= 400 && number < 600) return number
  return statuses[code] ?? statuses[type] ?? 500
}

const waiting = /\b(?:try again|retry) in (\d+(?:\.\d+)?) ?(ms|s)\b/i

/** What OpenAI ("try again in 1.5s") and Google ("retry in 34.4s") write into the sentence. */
export const secondsIn = (message: string): number | undefined => {
  const [, number, unit] = waiting.exec(message) ?? []
  if (number === undefined) return undefined
  return Number(number) / (unit === 'ms' ? 1_000 : 1)
}
