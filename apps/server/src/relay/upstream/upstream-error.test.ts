import { expect, it } from 'vitest'
import { retryDelayFromText, statusFromCode } from './upstream-error.ts'

it.each([
  ['overloaded_error', '', 529],
  ['invalid_request_error', '', 400],
  ['', 'context_length_exceeded', 400],
  ['', 'rate_limit_exceeded', 429],
  ['INVALID_ARGUMENT', '400', 400],
  ['UNAVAILABLE', '503', 503],
  ['api_error', '', 500],
  ['', '7', 500],
])('an error of type "%s" and code "%s" goes with %i', (type, code, status) => {
  expect(statusFromCode({ type, code })).toBe(status)
})

it.each([
  ['Rate limit reached for gpt-5.1. Please try again in 11.054s. Visit the limits page.', 11.054],
  ['Please try again in 28ms.', 0.028],
  ['Please retry in 34.4s.', 34.4],
  ['Try again later.', undefined],
])('%s', (message, seconds) => {
  expect(retryDelayFromText(message)).toBe(seconds)
})
